import type { FastifyReply, FastifyRequest } from 'fastify';
import { FORM_TYPE, requireForm } from './form-limits.ts';
import { Refusal } from './refusal.ts';

/** Maximum length of the path and query of a page's URL; Node itself refuses headers of more than 16 KiB. */
export const MAX_ADDRESS = 8_192;

/** A host as clients may address us: a name or an IP address, and a port. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/**
 * The request as a standard `Request`, for which the pages are written.
 * @throws Refusal if no page can handle it
 */
export function readRequest(request: FastifyRequest, reply: FastifyReply, baseUrl: string): Request {
  const { method, raw } = request;
  const address = requirePageUrl(request, baseUrl);
  const headers = new Headers();
  for (let n = 0; n < raw.rawHeaders.length; n += 2) {
    headers.append(raw.rawHeaders[n] as string, raw.rawHeaders[n + 1] as string);
  }
  // React Router compares it as well, and without what a proxy may have changed: `OwnOrigins` has judged it.
  headers.delete('origin');
  const body = method === 'POST' ? requireBody(request, headers) : null;
  const leaving = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) leaving.abort();
  });
  // Not as an option: a request that follows a signal is kept, with all that the page was made of, until V8 collects garbage
  // in the whole heap, which then grows to three times what is alive.
  return Object.defineProperty(new Request(address, { method, headers, body }), 'signal', { value: leaving.signal });
}

/** Whether the visitor comes from elsewhere, and has probably none of our files yet. */
export function isArriving(headers: FastifyRequest['headers']): boolean {
  return ['none', 'cross-site'].includes(String(headers['sec-fetch-site'])) && headers.cookie === undefined;
}

/**
 * The full URL of the requested page, whatever host, scheme and prefix a proxy passes on.
 * @throws Refusal if the request has none
 */
export function requirePageUrl({ url, headers: { host } }: FastifyRequest, baseUrl: string): URL {
  if (!url.startsWith('/')) throw new Refusal(400, 'The target of a request must be a path.');
  if (url.length > MAX_ADDRESS) {
    throw new Refusal(414, `The address of a page has at most ${MAX_ADDRESS.toLocaleString('en')} characters.`);
  }
  // Clients older than HTTP/1.1 do not send a host.
  if (host && !(HOST.test(host) && URL.canParse(`http://${host}`)))
    throw new Refusal(400, 'The Host of the request is none.');
  return new URL(`${baseUrl}${url}`);
}

function requireBody({ headers, body }: FastifyRequest, sent: Headers): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  // A form without fields; not every client sends its type.
  const type = bytes.length === 0 ? FORM_TYPE : requireForm(headers['content-type'] ?? '', bytes);
  sent.set('content-type', type);
  const copy = new Uint8Array(bytes);
  if (type === FORM_TYPE) spacesForPluses(copy);
  return copy;
}

/** In a form without files both mean a space; Node takes ten times as long to decode the plus. */
function spacesForPluses(form: Uint8Array): void {
  for (let at = form.indexOf(PLUS); at >= 0; at = form.indexOf(PLUS, at + 1)) form[at] = SPACE;
}

const [PLUS, SPACE] = [0x2b, 0x20];
