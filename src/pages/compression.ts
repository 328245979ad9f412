import { Duplex } from 'node:stream';
import { constants, createBrotliCompress } from 'node:zlib';

/** How a page may be compressed, the better first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A fifth less than gzip in twice its time; a higher quality takes ten times as long. */
export const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

/** The encoding for a client, by its `Accept-Encoding`; null if it takes none of ours. */
export function chooseEncoding(accepted: string | string[] = ''): Encoding | null {
  return encodings.find((name) => new RegExp(`\\b${name}\\b`).test(String(accepted))) ?? null;
}

/** Compresses a page to a sixth of its bytes. Downloads stay uncompressed: their progress is counted in bytes. */
export function compress(response: Response, encoding: Encoding | null): Response {
  const { status, body } = response;
  const isPage = /^(text\/(html|x-script)|application\/xml)\b/.test(response.headers.get('content-type') ?? '');
  if (!body || !isPage || !encoding) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  headers.set('content-encoding', encoding);
  const encoder = encoding === 'br' ? makeBrotliStream() : new CompressionStream('gzip');
  return new Response(body.pipeThrough(encoder), { status, headers });
}

function makeBrotliStream() {
  // Node's types of web streams are not those of the platform's Response.
  return Duplex.toWeb(createBrotliCompress(BROTLI)) as TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >;
}
