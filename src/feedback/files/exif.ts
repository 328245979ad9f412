const ORIENTATION = 0x0112;
const SHORT = 3;
const UPRIGHT = 1;

/** How to rotate a picture (1 to 8), according to its Exif data, which begin with a TIFF header; 1 means not at all. */
export function orientationOf(tiff: Buffer): number {
  const isLittle = tiff.toString('latin1', 0, 2) === 'II';
  const read16 = (at: number) => (isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  try {
    const start = isLittle ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4);
    const count = read16(start);
    for (let n = 0, at = start + 2; n < count; n++, at += 12) {
      if (read16(at) !== ORIENTATION) continue;
      const value = read16(at + 8);
      return value >= 1 && value <= 8 ? value : UPRIGHT;
    }
  } catch (error) {
    // The offset points beyond the end.
    if (!(error instanceof RangeError)) throw error;
  }
  return UPRIGHT;
}

/** Exif data with the rotation of a picture and nothing else; null for one that is not rotated. */
export function makeExif(orientation: number): Buffer | null {
  if (orientation === UPRIGHT) return null;
  const tiff = Buffer.alloc(26);
  tiff.write('MM\0*', 'latin1');
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(ORIENTATION, 10);
  tiff.writeUInt16BE(SHORT, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}
