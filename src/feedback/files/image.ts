/** A picture's width and height in pixels. */
export type ImageSize = { width: number; height: number };

/**
 * The size of a whole PNG, JPEG, GIF or WebP picture, found by walking its parts to the end; null for anything else,
 * and for data that only begins like one.
 */
export function measureImage(bytes: Buffer): ImageSize | null {
  try {
    return measurePng(bytes) ?? measureJpeg(bytes) ?? measureGif(bytes) ?? measureWebp(bytes);
  } catch (error) {
    // A part claims to extend beyond the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/** Chunks of length, type, data and checksum, from the head to the end. */
function measurePng(bytes: Buffer): ImageSize | null {
  if (!bytes.subarray(0, 8).equals(PNG) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null;
  const size = { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  let hasData = false;
  for (let at = 8; ; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') hasData = true;
    if (type === 'IEND') return hasData && at + 12 <= bytes.length ? size : null;
  }
}

/** Segments of a marker and a length; the one of the frame has the size, and scans of packed bytes follow. */
function measureJpeg(bytes: Buffer): ImageSize | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  let size: ImageSize | null = null;
  for (let at = 2; ; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes.readUInt16BE(at);
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker);
    if (isFrame) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xffda) return bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) > at ? size : null;
    if (marker < 0xffc0 || marker === 0xffd9) return null;
  }
}

/** A head with the size and maybe colors, then blocks up to the one that ends it. */
function measureGif(bytes: Buffer): ImageSize | null {
  if (!/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return null;
  const size = { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  const coloursOf = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  let hasPicture = false;
  for (let at = 13 + coloursOf(bytes.readUInt8(10)); ; ) {
    const kind = bytes.readUInt8(at);
    if (kind === 0x3b) return hasPicture ? size : null;
    if (kind === 0x2c) {
      hasPicture = true;
      at += 11 + coloursOf(bytes.readUInt8(at + 9));
    } else if (kind === 0x21) at += 2;
    else return null;
    while (bytes.readUInt8(at) !== 0) at += 1 + bytes.readUInt8(at);
    at++;
  }
}

/** A container that states its length; its first part has the size, in one of three forms. */
function measureWebp(bytes: Buffer): ImageSize | null {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  if (bytes.readUInt32LE(4) + 8 > bytes.length) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}
