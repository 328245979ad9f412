import type { QrPath } from '../../lib/qr.ts';

/** A QR code. It is dark on light even in the dark theme: many cameras read nothing else. */
export function QrCode({ code: { path, size }, label }: { code: QrPath; label: string }) {
  return (
    <svg className="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
