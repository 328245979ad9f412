import { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, gzip } from 'node:zlib';

/** How a page may be compressed, the better first. */
const encodings = ['br', 'gzip'] as const;
export type Encoding = (typeof encodings)[number];

/** A fifth less than gzip in twice its time; a higher quality takes ten times as long. */
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 18 },
};

const encoders = {
  br: (page: Buffer) => promisify(brotliCompress)(page, BROTLI),
  gzip: (page: Buffer) => promisify(gzip)(page),
};

/** The encoding for a client, by its `Accept-Encoding`; null if it takes none of ours. */
export function chooseEncoding(accepted: string | string[] = ''): Encoding | null {
  return encodings.find((name) => new RegExp(`\\b${name}\\b`).test(String(accepted))) ?? null;
}

/** Compresses a page to a sixth of its bytes. */
export function compress(page: Buffer, encoding: Encoding): Promise<Buffer> {
  return encoders[encoding](page);
}

/**
 * Likewise a response: a page as a whole, a sitemap as it is written. Downloads stay uncompressed: their progress is
 * counted in bytes.
 */
export async function compressResponse(response: Response, encoding: Encoding | null): Promise<Response> {
  const { status, body } = response;
  const [type] = /^(text\/(html|x-script)|application\/xml)\b/.exec(response.headers.get('content-type') ?? '') ?? [];
  if (!body || !type || !encoding) return response;
  const headers = new Headers(response.headers);
  headers.append('vary', 'accept-encoding');
  headers.set('content-encoding', encoding);
  if (type === 'application/xml') return new Response(body.pipeThrough(makeStream(encoding)), { status, headers });
  const page = await compress(Buffer.from(await response.arrayBuffer()), encoding);
  return new Response(new Uint8Array(page), { status, headers });
}

function makeStream(encoding: Encoding) {
  if (encoding === 'gzip') return new CompressionStream('gzip');
  // Node's types of web streams are not those of the platform's Response.
  return Duplex.toWeb(createBrotliCompress(BROTLI)) as TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >;
}
