import type { Cipher } from '../../platform/lib/cipher.ts';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { headed, type LocalizedMessage, msg } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import { askedPause, headerOf, isLimit, sentAt } from '../../webhooks/http/busy.ts';
import { makeDialler } from '../../webhooks/http/dial.ts';
import type { Answer, Dial, OutgoingRequest } from '../../webhooks/http/exchange.ts';
import { type Sender, senderHeaders } from '../../webhooks/http/sender.ts';
import { DEADLINES } from './deadlines.ts';
import { describeSilence, TrackerFault } from './fault.ts';

/** Bytes of a response: a hundred issues with long texts have some seven million. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;

export type TrackerAnswer = { status: number; body: unknown; next: string | null; sent: number | null };

type Method = OutgoingRequest['method'];

/** Requests to one project of a tracker. */
export type TrackerClient = {
  project: string;
  /** What the tracker calls the project whatever its name is; '' until that is known. */
  projectKey: string;
  /** The account of the token; '' if it is unknown. */
  account: string;
  /** Names a text as only this server can: see `Cipher.name`. */
  nameOf(text: string): string;
  /**
   * @param path after the URL of the API, or a whole URL that it has sent
   * @param missing statuses that are answers, too
   * @throws TrackerFault without a response that succeeds
   */
  ask(method: Method, path: string, options?: { body?: object; missing?: readonly number[] }): Promise<TrackerAnswer>;
};

/** That a response refuses what was asked, whatever its status: as too many requests, for the token, or for what it says. */
export type Refusal = { reason: 'LIMIT' | 'TOKEN' | null; words: string };

/**
 * What dials trackers: as for webhooks, private addresses must be allowed.
 * @param deadlineMs for a request as a whole, to the last byte of the response
 */
export function makeTrackerDial(
  { rules, resolve }: Pick<Sender, 'rules' | 'resolve'>,
  deadlineMs = DEADLINES.request,
): Dial {
  return makeDialler({ rules, resolve, deadlineMs, maxBodyBytes: MAX_ANSWER_BYTES });
}

type ClientOptions = {
  dial: Dial;
  version: string;
  project: string;
  projectKey: string;
  account: string;
  apiUrl: string;
  token: string;
  /** What signs the requests of the tracker, once it is known. */
  secret?: string;
  cipher: Pick<Cipher, 'name'>;
  product: { headersOf(token: string): Record<string, string>; refusalIn?(body: unknown): Refusal | null };
  signal?: AbortSignal;
};

export function makeTrackerClient(options: ClientOptions): TrackerClient {
  const { dial, version, project, projectKey, account, apiUrl, token, secret, cipher, product, signal } = options;
  const signIn = product.headersOf(token);
  const secrets = [token, secret ?? token, ...(signIn.Authorization?.split(' ').slice(-1) ?? [])];
  return {
    project,
    projectKey,
    account,
    nameOf: (text) => cipher.name(text, `tracker ${apiUrl}`),
    async ask(method, path, { body, missing = [] } = {}) {
      const url = path.startsWith('/') ? `${apiUrl}${path}` : path;
      const content = body ? { 'content-type': 'application/json' } : {};
      const exchange = await dial(
        {
          method,
          url,
          isOnce: method === 'POST',
          headers: { ...senderHeaders(version), ...signIn, ...content },
          ...(body && { body: Buffer.from(JSON.stringify(body)) }),
        },
        signal,
      );
      const host = printable(URL.parse(url)?.host ?? '', 260);
      const { answer } = exchange;
      if (!answer) throw new TrackerFault(describeSilence(exchange, host, url), 0);
      if (answer.isCut) throw new TrackerFault(msg('trackerBrokeOff', host), 0);
      const status = msg('trackerStatus', host, String(answer.status));
      if (isBusy(answer)) throw new TrackerFault(status, pauseOf(answer));
      const parsed = parse(answer);
      const refusal = product.refusalIn?.(parsed) ?? null;
      // A server may echo what signs in.
      const words = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), wordsOf(refusal?.words ?? parsed));
      const saying = (what: LocalizedMessage) => (words === '' ? what : headed(what, words));
      if (refusal?.reason === 'LIMIT') throw new TrackerFault(saying(msg('trackerLimits', host)), pauseOf(answer));
      if (answer.status === 401 || refusal?.reason === 'TOKEN')
        throw new TrackerFault(saying(msg('trackerRefusesToken', host)), MINUTE_MS, 'token');
      if ([301, 302, 307, 308].includes(answer.status) && !missing.includes(answer.status))
        throw new TrackerFault(msg('trackerMoved', host, project), 0);
      const isDone = !refusal && answer.status >= 200 && answer.status < 300;
      if (!isDone && !missing.includes(answer.status))
        throw new TrackerFault(saying(refusal ? msg('trackerRefuses', host) : status), null);
      if (parsed === undefined && answer.status === 200) throw new TrackerFault(msg('trackerNotJson', host), 0);
      return { status: answer.status, body: parsed, next: nextIn(answer, apiUrl), sent: sentAt(answer) };
    },
  };
}

function isBusy(answer: Answer): boolean {
  return answer.status === 429 || answer.status >= 500 || isLimit(answer);
}

/** How long to ask nothing more of a tracker that is busy, in milliseconds. GitHub wants a minute at least where it gives no time. */
function pauseOf(answer: Answer): number {
  return askedPause(answer) ?? (answer.status < 500 ? MINUTE_MS : 0);
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
  const words = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  return typeof words === 'string' ? printable(words, 200) : '';
}

/** The next page of a list. It may not be at another server, which would get the token. */
function nextIn(answer: Answer, apiUrl: string): string | null {
  const [, found = ''] = /<([^<>]{1,2000})>;\s*rel="next"/.exec(headerOf(answer, 'link')) ?? [];
  const next = URL.parse(found, apiUrl);
  return found !== '' && next?.origin === URL.parse(apiUrl)?.origin ? (next?.href ?? null) : null;
}
