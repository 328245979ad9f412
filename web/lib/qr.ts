import { encode } from 'uqr';

/** A QR code as the path of an SVG, in modules; `size` is that of the square with the border that readers need. */
export type QrPath = { path: string; size: number };

const BORDER = 4;

/** Draws a QR code for a text. The server does it: the browser gets only the drawing. */
export function makeQrPath(text: string): QrPath {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const rows = data.map((row, y) => {
    const runs = [
      ...row
        .map((isDark) => (isDark ? '1' : '0'))
        .join('')
        .matchAll(/1+/g),
    ];
    return runs.map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`).join('');
  });
  return { path: rows.join(''), size };
}
