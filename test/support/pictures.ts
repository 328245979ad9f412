import { crc32, deflateSync } from 'node:zlib';

/** A JPEG picture of 3 × 2 red pixels with a profile of its colors, as a browser makes it. */
export const JPEG: Buffer = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAACAAMDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQA1j/2Q==',
  'base64',
);

/** A WebP picture of 3 × 2 pixels with a profile of its colors. */
export const WEBP: Buffer = Buffer.from(
  'UklGRhYCAABXRUJQVlA4WAoAAAAgAAAAAgAAAQAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggKAAAAJABAJ0BKgMAAgAHQJYloAJ0ugADmAD+5Qr4J6lyj/43jwK8l2OgAAA=',
  'base64',
);

/** Exif data as cameras write them: how the picture is to be turned, a place, and a text. */
export function makeExifOf(orientation: number, text: string): Buffer {
  const entries = [
    [0x010e, 2, text.length, 62],
    [0x0112, 3, 1, orientation],
    [0x8825, 4, 1, 50],
  ] as const;
  const tiff = Buffer.alloc(62);
  tiff.write('II*\0', 'latin1');
  tiff.writeUInt32LE(8, 4);
  tiff.writeUInt16LE(entries.length, 8);
  for (const [n, [tag, type, count, value]] of entries.entries()) {
    tiff.writeUInt16LE(tag, 10 + n * 12);
    tiff.writeUInt16LE(type, 12 + n * 12);
    tiff.writeUInt32LE(count, 14 + n * 12);
    tiff.writeUInt32LE(value, 18 + n * 12);
  }
  return Buffer.concat([tiff, Buffer.from(text, 'latin1')]);
}

/** A segment of a JPEG picture. */
export function makeSegment(marker: number, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** A JPEG picture with more segments behind its head, and more bytes behind its end. */
export function withSegments(jpeg: Buffer, segments: readonly Buffer[], behind = ''): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), Buffer.from(behind)]);
}

/** A chunk of a PNG picture. */
export function makeChunk(type: string, data: string | Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), Buffer.from(data)]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(named.length - 4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** A white PNG picture of any size, with more chunks before its data. */
export function makePng(width: number, height: number, chunks: readonly Buffer[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.writeUInt8(1, 8);
  const rows = Buffer.alloc(height * (1 + Math.ceil(width / 8)));
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    makeChunk('IHDR', head),
    ...chunks,
    makeChunk('IDAT', deflateSync(rows)),
    makeChunk('IEND', ''),
  ]);
}

/** A chunk of a WebP picture. */
export function makeWebpChunk(type: string, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  const head = Buffer.alloc(8);
  head.write(type);
  head.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
}

/** A WebP picture with more chunks at its end; its head says that there are Exif and XMP data. */
export function withWebpChunks(webp: Buffer, chunks: readonly Buffer[]): Buffer {
  const picture = Buffer.concat([webp, ...chunks]);
  picture.writeUInt32LE(picture.length - 8, 4);
  picture.writeUInt8(picture.readUInt8(20) | 0x0c, 20);
  return picture;
}
