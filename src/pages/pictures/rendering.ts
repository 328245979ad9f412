import { LRUCache } from 'lru-cache';
import { Lane } from '../../platform/lib/lane.ts';
import { drawSvg, type Picture, versionOf } from './picture.ts';

/** Bytes of pictures that a process keeps: about 200 pictures. */
const KEPT_BYTES = 8 * 1_048_576;

/** How long one may take: some 50 ms are usual. */
const TIMEOUT_S = 10;

/** One at a time: files and passwords need the same threads. */
const lane = new Lane(1);

type Order = { picture: Picture; count: () => void };

/** Requests for a picture that is being made wait for the same one. */
const kept = new LRUCache<string, Buffer, Order>({
  maxSize: KEPT_BYTES,
  sizeCalculation: ({ byteLength }) => byteLength,
  async fetchMethod(_, __, { context: { picture, count } }) {
    count();
    return lane.within(() => render(picture));
  },
});

/**
 * A picture as PNG, of those that are kept or newly made.
 * @param count is called before one is made
 */
export function renderPicture(picture: Picture, count: () => void): Promise<Buffer> {
  return kept.forceFetch(versionOf(picture), { context: { picture, count } });
}

/** sharp works in other threads. It is loaded with the first picture, because it needs 20 MB. */
async function render(picture: Picture): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const svg = Buffer.from(await drawSvg(picture));
  return sharp(svg).timeout({ seconds: TIMEOUT_S }).png({ compressionLevel: 9 }).toBuffer();
}
