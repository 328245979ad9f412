import type { Cipher } from '../../../platform/lib/cipher.ts';
import type { ReachAnswer, ReachDetails } from '../answer.ts';
import { makeToken, REACH_PATH, TOKEN_HEADER } from '../token.ts';
import { ask, type Place, type Reply } from './ask.ts';

/** How a place answers: as a server with the key of this store, or not. */
export type Meeting =
  | { kind: 'ours'; details: ReachDetails; now: number; token: string; reply: Reply }
  | { kind: 'other'; reply: Reply }
  | { kind: 'none'; error: unknown };

/** The URL of a path below a base URL, which may have a path itself. */
export function below(base: URL, path: string): URL {
  return new URL(`${base.pathname.replace(/\/$/, '')}${path}`, base);
}

/** Asks a place whether it is the server of this store. */
export async function meet(
  place: Place,
  cipher: Cipher,
  now: number,
  headers: Record<string, string> = {},
): Promise<Meeting> {
  const first = await meetOnce(place, cipher, now, headers);
  // With the clock of the server, if that is another.
  return typeof first === 'number' ? meetAgain(place, cipher, first, headers) : first;
}

async function meetAgain(place: Place, cipher: Cipher, now: number, headers: Record<string, string>): Promise<Meeting> {
  const second = await meetOnce(place, cipher, now, headers);
  return typeof second === 'number'
    ? { kind: 'none', error: new Error('The clock of the server is not steady') }
    : second;
}

/** @returns the time of the server instead, if the token is not valid there and then */
async function meetOnce(
  { url, address }: Place,
  cipher: Cipher,
  now: number,
  headers: Record<string, string>,
): Promise<Meeting | number> {
  const { token, nonce } = makeToken(cipher, now);
  let reply: Reply;
  try {
    const place = { url: below(url, REACH_PATH), address };
    reply = await ask(place, { headers: { [TOKEN_HEADER]: token, ...headers } });
  } catch (error) {
    return { kind: 'none', error };
  }
  const answer = parseAnswer(reply.text);
  if (answer?.nonce !== nonce) return { kind: 'other', reply };
  return answer.details ? { kind: 'ours', details: answer.details, now: answer.now, token, reply } : answer.now;
}

/** What browsers say of a request by a page of the same origin. */
export function asBrowser({ origin }: URL): Record<string, string> {
  return { origin, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'accept-encoding': 'gzip, br, zstd' };
}

function parseAnswer(text: string): ReachAnswer | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
