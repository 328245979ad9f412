import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { printable } from '../../platform/texts/text.ts';
import { makeDialler } from '../../webhooks/http/dial.ts';
import type { Answer, Dial, Fault, OutgoingRequest } from '../../webhooks/http/exchange.ts';
import { type Sender, senderHeaders } from '../../webhooks/http/sender.ts';

/** Bytes of a response: a hundred issues with long texts have some seven million. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;
const DEADLINE_MS = 30 * SECOND_MS;
const MAX_PAUSE_MS = 60 * MINUTE_MS;

/** Why a tracker did not do what was asked. */
export class TrackerFault extends Error {
  /** How long to ask it nothing, if it is not a single request that it refuses. */
  readonly pauseMs: number | null;

  constructor(message: string, pauseMs: number | null) {
    super(message);
    this.pauseMs = pauseMs;
  }
}

export type TrackerAnswer = { status: number; body: unknown; next: string | null; sent: number | null };

type Method = OutgoingRequest['method'];

/** Requests to one project of a tracker. */
export type TrackerClient = {
  project: string;
  /**
   * @param path after the URL of the API, or a whole URL that it has sent
   * @param missing statuses that are answers, too
   * @throws TrackerFault without a response that succeeds
   */
  ask(method: Method, path: string, options?: { body?: object; missing?: readonly number[] }): Promise<TrackerAnswer>;
};

/** What dials trackers: as for webhooks, private addresses must be allowed. */
export function makeTrackerDial({ rules, resolve }: Pick<Sender, 'rules' | 'resolve'>): Dial {
  return makeDialler({ rules, resolve, deadlineMs: DEADLINE_MS, maxBodyBytes: MAX_ANSWER_BYTES });
}

type ClientOptions = {
  dial: Dial;
  version: string;
  project: string;
  apiUrl: string;
  headers: Readonly<Record<string, string>>;
  signal?: AbortSignal;
};

export function makeTrackerClient({ dial, version, project, apiUrl, headers, signal }: ClientOptions): TrackerClient {
  return {
    project,
    async ask(method, path, { body, missing = [] } = {}) {
      const url = path.startsWith('/') ? `${apiUrl}${path}` : path;
      const content = body ? { 'content-type': 'application/json' } : {};
      const { answer, fault } = await dial(
        {
          method,
          url,
          isOnce: method === 'POST',
          headers: { ...senderHeaders(version), ...headers, ...content },
          ...(body && { body: Buffer.from(JSON.stringify(body)) }),
        },
        signal,
      );
      const host = printable(URL.parse(url)?.host ?? '', 260);
      if (!answer) throw new TrackerFault(`${host} cannot be reached: ${describeFault(fault)}`, 0);
      if (isBusy(answer)) throw new TrackerFault(`${host} responded with ${answer.status}`, pauseOf(answer));
      const parsed = parse(answer);
      if (answer.status === 401) throw new TrackerFault(`${host} refuses the token${wordsOf(parsed)}`, MINUTE_MS);
      const isDone = answer.status >= 200 && answer.status < 300;
      if (!isDone && !missing.includes(answer.status))
        throw new TrackerFault(`${host} responded with ${answer.status}${wordsOf(parsed)}`, null);
      if (parsed === undefined && answer.status === 200)
        throw new TrackerFault(`${host} responded with something that is not JSON`, 0);
      return { status: answer.status, body: parsed, next: nextIn(answer, apiUrl), sent: sentAt(answer) };
    },
  };
}

/** What GitHub calls a limit it answers with 403 or 429: https://docs.github.com/en/rest/using-the-rest-api/rate-limits-for-the-rest-api */
function isBusy(answer: Answer): boolean {
  if (answer.status === 429 || answer.status >= 500 || answer.isCut) return true;
  if (answer.status !== 403) return false;
  const words = Buffer.from(answer.body.subarray(0, 2_000)).toString('utf8');
  return headerOf(answer, 'retry-after') !== '' || isSpent(answer) || /rate limit/i.test(words);
}

const isSpent = (answer: Answer) => headerOf(answer, 'x-ratelimit-remaining') === '0';

/** The pause that it asks for, in milliseconds; 0 if it asks for none. */
function pauseOf(answer: Answer): number {
  const after = headerOf(answer, 'retry-after');
  if (/^\d{1,6}$/.test(after)) return Math.min(Number(after) * SECOND_MS, MAX_PAUSE_MS);
  const reset = headerOf(answer, 'x-ratelimit-reset');
  const sent = sentAt(answer);
  if (isSpent(answer) && /^\d{1,12}$/.test(reset) && sent !== null)
    return Math.min(Math.max(Number(reset) * SECOND_MS - sent, 0) + SECOND_MS, MAX_PAUSE_MS);
  return answer.status === 403 || answer.status === 429 ? MINUTE_MS : 0;
}

function describeFault(fault: Fault | undefined): string {
  if (fault?.kind === 'address not allowed') return 'WEBHOOK_ALLOW_CIDRS must allow its address';
  if (!fault) return 'no response';
  return 'reason' in fault ? `${fault.kind}, ${printable(fault.reason, 300)}` : fault.kind;
}

/** Undefined if it is no JSON. */
function parse({ body }: Answer): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What a refusal says. */
function wordsOf(body: unknown): string {
  const words = typeof body === 'object' && body !== null && 'message' in body ? body.message : null;
  return typeof words === 'string' && words !== '' ? `: ${printable(words, 200)}` : '';
}

function headerOf({ headers }: Answer, wanted: string): string {
  return headers.find(([name]) => name === wanted)?.[1] ?? '';
}

function sentAt(answer: Answer): number | null {
  return Date.parse(headerOf(answer, 'date')) || null;
}

/** The next page of a list. It may not be at another server, which would get the token. */
function nextIn(answer: Answer, apiUrl: string): string | null {
  const [, found = ''] = /<([^<>]{1,2000})>;\s*rel="next"/.exec(headerOf(answer, 'link')) ?? [];
  const next = URL.parse(found, apiUrl);
  return found !== '' && next?.origin === URL.parse(apiUrl)?.origin ? (next?.href ?? null) : null;
}
