/** A response that is not valid HTTP, as far as it can be read. */
export type LooseAnswer = {
  status: number;
  headers: [name: string, value: string][];
  body: Buffer;
  /** Whether the empty line after the headers is there. */
  hasAllHeaders: boolean;
  /** Whether the whole body is there, by the headers or because the connection has ended. */
  isWhole: boolean;
  /** Whether nothing that may still arrive belongs to it. */
  isEnded: boolean;
};

/** Headers beyond these are not kept. */
export const MAX_HEADERS = 200;

/** What there is of a body: `broken` if nothing after it can belong to it. */
type Body = { body: Buffer; state: 'open' | 'whole' | 'broken' };

/**
 * Reads a response that a strict parser refuses: repeated or contradictory lengths, lines that end in a bare line feed
 * or continue on the next one, names with spaces or other characters. Its connection must carry no further request,
 * since another reader may see its end elsewhere.
 * @param bytes all that has arrived
 * @param hasEnded whether nothing more will arrive
 * @returns null if there is no status line; `waiting` while there may be one
 */
export function readLoosely(bytes: Buffer, hasEnded: boolean): LooseAnswer | 'waiting' | null {
  for (let start = skipBlank(bytes); ; ) {
    const bodyStart = findBody(bytes, start);
    const hasAllHeaders = bodyStart !== -1;
    const lines = bytes.toString('latin1', start, hasAllHeaders ? bodyStart : bytes.length).split(/\r?\n/);
    // What follows the last line feed is no whole line.
    const rest = lines.pop() ?? '';
    const first = lines[0] ?? rest;
    const status = Number(STATUS_LINE.exec(first)?.[1] ?? 0);
    if (lines.length === 0) return !hasEnded && mayBeStatusLine(first) ? 'waiting' : null;
    if (status === 0 || status === 101) return null;
    if (status < 200) {
      if (!hasAllHeaders) return hasEnded ? null : 'waiting';
      start = bodyStart;
      continue;
    }
    const headers = readHeaders(lines.slice(1));
    if (!hasAllHeaders) {
      return { status, headers, body: Buffer.alloc(0), hasAllHeaders, isWhole: false, isEnded: hasEnded };
    }
    const { body, state } = readBody(bytes.subarray(bodyStart), headers, hasEnded);
    return { status, headers, body, hasAllHeaders, isWhole: state === 'whole', isEnded: hasEnded || state !== 'open' };
  }
}

const STATUS_LINE = /^HTTP\/\d+(?:\.\d+)? +([1-9]\d\d)(?: .*)?$/i;

function mayBeStatusLine(start: string): boolean {
  return start.length <= 5 ? 'http/'.startsWith(start.toLowerCase()) : /^HTTP\/[\d. ]/i.test(start);
}

/** Where a response begins: after empty lines. */
function skipBlank(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 0x0d || bytes[at] === 0x0a) at += 1;
  return at;
}

/** Where the empty line after the headers ends; -1 if it is not there yet. */
function findBody(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf('\n', start); at !== -1; at = bytes.indexOf('\n', at + 1)) {
    const next = bytes[at + 1] === 0x0d ? at + 2 : at + 1;
    if (bytes[next] === 0x0a) return next + 1;
  }
  return -1;
}

function readHeaders(lines: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (const line of lines) {
    const last = headers.at(-1);
    const colon = line.indexOf(':');
    if (last && /^[ \t]/.test(line)) last[1] += ` ${line.trim()}`;
    else if (colon > 0 && headers.length < MAX_HEADERS)
      headers.push([line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]);
  }
  return headers;
}

/** A declared chunked body may be a plain one, as with a gateway that passes on headers but not the form of the body. */
function readBody(bytes: Buffer, headers: readonly (readonly [string, string])[], hasEnded: boolean): Body {
  const valuesOf = (wanted: string) => headers.filter(([name]) => name === wanted).map(([, value]) => value);
  const chunked = /chunked/i.test(valuesOf('transfer-encoding').join()) ? readChunks(bytes) : null;
  if (chunked) return chunked;
  const [length = '', ...others] = new Set(valuesOf('content-length').flatMap(listOf));
  // Which of several lengths is meant, only the end of the connection tells.
  if (others.length > 0 || !/^\d{1,9}$/.test(length)) return { body: bytes, state: hasEnded ? 'whole' : 'open' };
  const body = bytes.subarray(0, Number(length));
  return { body, state: body.length === Number(length) ? 'whole' : 'open' };
}

/** The elements of a header. A pattern with the spaces would take a third of a second for as many as may be there. */
function listOf(header: string): string[] {
  return header.split(',').map((element) => element.trim());
}

/** The content of a chunked body; null if it is none. */
function readChunks(bytes: Buffer): Body | null {
  const chunks: Buffer[] = [];
  const content = (state: Body['state']): Body => ({ body: Buffer.concat(chunks), state });
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\n', at);
    const line = bytes.toString('latin1', at, lineEnd === -1 ? bytes.length : lineEnd);
    const size = /^[0-9a-f]{1,8}(?=[ \t]*(?:;|\r?$))/i.exec(line)?.[0];
    if (size === undefined) return at === 0 && line !== '' ? null : content(line === '' ? 'open' : 'broken');
    if (lineEnd === -1) return content('open');
    if (Number.parseInt(size, 16) === 0) return content('whole');
    const chunk = bytes.subarray(lineEnd + 1, lineEnd + 1 + Number.parseInt(size, 16));
    chunks.push(chunk);
    if (chunk.length < Number.parseInt(size, 16)) return content('open');
    at = lineEnd + 1 + chunk.length;
    if (bytes[at] === 0x0d) at += 1;
    if (bytes[at] === 0x0a) at += 1;
  }
}
