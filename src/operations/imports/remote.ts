import { setTimeout as delay } from 'node:timers/promises';
import { MINUTE_MS, SECOND_MS } from '../../platform/lib/clock.ts';
import { printable } from '../../platform/texts/text.ts';
import { VERSION } from '../../platform/version.ts';
import { askedPause, describeFault, headerOf, isLimit, sentAt } from '../../webhooks/http/busy.ts';
import { makeDialler } from '../../webhooks/http/dial.ts';
import type { Answer, Dial, Fault, OutgoingRequest } from '../../webhooks/http/exchange.ts';
import { type Sender, senderHeaders } from '../../webhooks/http/sender.ts';
import { ImportError } from './items.ts';

/** Bytes of a response: a hundred ideas with long descriptions have some five million. */
const MAX_ANSWER_BYTES = 16 * 1_048_576;
const DEADLINE_MS = 60 * SECOND_MS;
/** How often a request is made that may succeed later, unless told otherwise. */
const ATTEMPTS = 5;
const MAX_PAUSE_MS = 60 * SECOND_MS;
/** Attempts after which a pause that is asked for is no longer enough. */
const TRUSTED_PAUSES = 3;
/** The longest pause that a server does not ask for. */
const MAX_OWN_PAUSE_MS = 10 * MINUTE_MS;
/** Pages of one list, of up to a hundred items each. */
const MAX_PAGES = 100_000;

type JsonAnswer = { status: number; body: unknown };
/** A page of a list: the address of the next one, and when the server sent it by its own clock, if it says so. */
type JsonPage = JsonAnswer & { next: string | null; sent: number | null };

/** How patient requests are. */
export type Patience = {
  attempts?: number;
  /** The longest pause that a server may ask for. */
  maxPauseMs?: number;
  /** Repeats requests without end, once the server has been reached. */
  isEndless?: boolean;
  /** Called before a pause, with the reason. */
  onPause?: (words: string, ms: number) => void;
  /** Ends requests, which then throw its reason. */
  stopping?: AbortSignal | undefined;
};

/**
 * Other servers that an import reads from, with the guarded HTTP client of webhooks: what is at private addresses must be
 * allowed with WEBHOOK_ALLOW_CIDRS. Requests that a server is too busy for are repeated, after the pause that it asks for.
 */
export class Remote {
  readonly #dial: Dial;
  readonly #patience: Required<Omit<Patience, 'stopping'>>;
  readonly #stopping: AbortSignal | undefined;
  /** Whether a server has responded in JSON. */
  #isReached = false;

  constructor({ rules, resolve }: Pick<Sender, 'rules' | 'resolve'>, { stopping, ...patience }: Patience = {}) {
    const usual = { attempts: ATTEMPTS, maxPauseMs: MAX_PAUSE_MS, isEndless: false, onPause: () => {} };
    this.#patience = { ...usual, ...patience };
    this.#dial = makeDialler({ rules, resolve, deadlineMs: DEADLINE_MS, maxBodyBytes: MAX_ANSWER_BYTES });
    this.#stopping = stopping;
  }

  /** @throws ImportError without a response in JSON */
  async post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<JsonAnswer> {
    return this.#json({
      method: 'POST',
      url,
      body: Buffer.from(JSON.stringify(body)),
      headers: { ...senderHeaders(VERSION), 'content-type': 'application/json', ...headers },
    });
  }

  /** @throws ImportError without a response in JSON */
  async getJson(url: string, headers: Readonly<Record<string, string>> = {}): Promise<JsonPage> {
    if (!URL.canParse(url)) throw new ImportError(`“${printable(url)}” is not an address`);
    return this.#json({ method: 'GET', url, headers: { ...senderHeaders(VERSION), ...headers } });
  }

  /**
   * Downloads a file.
   * @throws RangeError if it is not there; ImportError if it may be there later
   */
  async get(url: string): Promise<Uint8Array> {
    if (!URL.canParse(url)) throw new RangeError(`“${printable(url)}” is not the address of a file`);
    const answer = await this.#request({ method: 'GET', url, headers: senderHeaders(VERSION) }, RangeError);
    if (answer.status !== 200) throw new RangeError(`${printable(url, 200)} responded with ${answer.status}`);
    if (isTooLong(answer)) throw new RangeError(`${printable(url, 200)} is longer than 16 MB`);
    return answer.body;
  }

  async #json(request: OutgoingRequest): Promise<JsonPage> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#request(request);
      if (isTooLong(answer)) throw new ImportError(`The response of ${hostOf(request.url)} is longer than 16 MB`);
      try {
        const body: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'));
        this.#isReached = true;
        return { status: answer.status, body, next: nextIn(answer, request.url), sent: sentAt(answer) };
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        const words = `${hostOf(request.url)} responded with ${answer.status} and no JSON`;
        if (!this.#patience.isEndless || !this.#isReached)
          throw new ImportError(`${words}: is the address that of an API?`);
        await this.#pause(words, growing(attempt));
      }
    }
  }

  /** @throws `Refused` if there is no response and never will be; ImportError if there is none at the moment */
  async #request(request: OutgoingRequest, Refused: new (message: string) => Error = ImportError): Promise<Answer> {
    const { attempts, isEndless } = this.#patience;
    for (let attempt = 1; ; attempt++) {
      this.#stopping?.throwIfAborted();
      const { answer, fault } = await this.#dial(request, this.#stopping);
      this.#stopping?.throwIfAborted();
      const failure = answer ? describeBusy(answer) : describeFault(fault);
      if (answer && failure === null) return answer;
      const words = `${hostOf(request.url)} cannot be read: ${failure}`;
      // A file is one of many, and may be at another server.
      const isWaitedFor = isEndless && Refused === ImportError && (this.#isReached || answer !== undefined);
      if (fault && !mayPass(fault, isWaitedFor)) throw new Refused(words);
      if (attempt >= attempts && !isWaitedFor)
        throw isEndless ? new Refused(words) : new ImportError(`${words}. Start the import again later: it continues`);
      const asked = answer && askedPause(answer);
      // GitHub asks for a minute at least.
      const own = answer && isLimit(answer) ? attempt * MINUTE_MS : growing(attempt);
      // Also of one who asks for no pause, again and again.
      const least = attempt > TRUSTED_PAUSES ? growing(attempt - TRUSTED_PAUSES) : 0;
      await this.#pause(words, Math.min(Math.max(asked ?? own, least), this.#patience.maxPauseMs));
    }
  }

  async #pause(words: string, ms: number): Promise<void> {
    this.#patience.onPause(words, ms);
    await delay(ms, undefined, { signal: this.#stopping }).catch(() => {});
  }
}

/**
 * The items of a list that comes in pages, from the first one on.
 * @param readPage reads the page at `next` of the previous one, which is null for the first one and after the last one
 */
export async function* readPages<Place extends string | number>(
  readPage: (place: Place | null) => Promise<{ items: readonly unknown[]; next: Place | null }>,
): AsyncGenerator<unknown> {
  let place: Place | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next }: { items: readonly unknown[]; next: Place | null } = await readPage(place);
    yield* items;
    if (items.length === 0 || next === null || next === place) return;
    place = next;
  }
  throw new ImportError(`A list has over ${MAX_PAGES.toLocaleString('en')} pages`);
}

function hostOf(url: string): string {
  return printable(URL.parse(url)?.host || url, 260);
}

function isTooLong({ isCut, body }: Answer): boolean {
  return isCut && body.length >= MAX_ANSWER_BYTES;
}

/** What is wrong with a response that may be right later. GitHub refuses with 403 whom it has answered too often. */
function describeBusy(answer: Answer): string | null {
  if (answer.status === 429 || answer.status >= 500 || isLimit(answer)) return `it responded with ${answer.status}`;
  return answer.isCut && !isTooLong(answer) ? 'its response broke off' : null;
}

function mayPass({ kind }: Fault, isWaitedFor: boolean): boolean {
  if (kind === 'timed out' || kind === 'connection closed') return true;
  return (
    isWaitedFor && (kind === 'connection refused' || kind === 'connection failed' || kind === 'could not resolve host')
  );
}

/** Twice as long each time. */
function growing(attempt: number): number {
  return Math.min(2 ** (attempt - 1) * SECOND_MS, MAX_OWN_PAUSE_MS);
}

/** The address of the next page, which may not lead to another server: it gets the same key. */
function nextIn(answer: Answer, url: string): string | null {
  const [, found] = /<([^<>]{1,2000})>;\s*rel="next"/.exec(headerOf(answer, 'link')) ?? [];
  if (found === undefined) return null;
  const next = URL.parse(found, url);
  if (next?.origin === URL.parse(url)?.origin) return next?.href ?? null;
  throw new ImportError(`${hostOf(url)} says that its list continues at another server, ${hostOf(found)}`);
}
