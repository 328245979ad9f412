import { setTimeout as delay } from 'node:timers/promises';
import { SECOND_MS } from '../../platform/lib/clock.ts';
import { printable } from '../../platform/texts/text.ts';
import { VERSION } from '../../platform/version.ts';
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
/** Pages of one list, of up to a hundred items each. */
const MAX_PAGES = 100_000;

type JsonAnswer = { status: number; body: unknown };

/**
 * Other servers that an import reads from, with the guarded HTTP client of webhooks: what is at private addresses must be
 * allowed with WEBHOOK_ALLOW_CIDRS. Requests that a server is too busy for are repeated, after the pause that it asks for.
 */
export class Remote {
  readonly #dial: Dial;
  readonly #attempts: number;
  readonly #stopping: AbortSignal | undefined;

  /** `stopping` ends requests, which then throw its reason. */
  constructor(
    { rules, resolve }: Pick<Sender, 'rules' | 'resolve'>,
    { attempts = ATTEMPTS, stopping }: { attempts?: number; stopping?: AbortSignal } = {},
  ) {
    this.#attempts = attempts;
    this.#dial = makeDialler({ rules, resolve, deadlineMs: DEADLINE_MS, maxBodyBytes: MAX_ANSWER_BYTES });
    this.#stopping = stopping;
  }

  /** @throws ImportError without a response in JSON */
  async post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<JsonAnswer> {
    const answer = await this.#request({
      method: 'POST',
      url,
      body: Buffer.from(JSON.stringify(body)),
      headers: { ...senderHeaders(VERSION), 'content-type': 'application/json', ...headers },
    });
    if (isTooLong(answer)) throw new ImportError(`The response of ${hostOf(url)} is longer than 16 MB`);
    try {
      return { status: answer.status, body: JSON.parse(Buffer.from(answer.body).toString('utf8')) };
    } catch {
      throw new ImportError(
        `${hostOf(url)} responded with ${answer.status} and no JSON: is the address that of an API?`,
      );
    }
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

  /** @throws `Refused` if there is no response and never will be; ImportError if there is none at the moment */
  async #request(request: OutgoingRequest, Refused: new (message: string) => Error = ImportError): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      this.#stopping?.throwIfAborted();
      const { answer, fault } = await this.#dial(request, this.#stopping);
      this.#stopping?.throwIfAborted();
      const failure = answer ? describeBusy(answer) : describeFault(fault);
      if (answer && failure === null) return answer;
      const words = `${hostOf(request.url)} cannot be read: ${failure}`;
      if (fault && !mayPass(fault)) throw new Refused(words);
      if (attempt >= this.#attempts) throw new ImportError(`${words}. Start the import again later: it continues`);
      await delay(pauseAfter(answer, attempt), undefined, { signal: this.#stopping }).catch(() => {});
    }
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

/** What is wrong with a response that may be right later. */
function describeBusy(answer: Answer): string | null {
  if (answer.status === 429 || answer.status >= 500) return `it responded with ${answer.status}`;
  return answer.isCut && !isTooLong(answer) ? 'its response broke off' : null;
}

function describeFault(fault: Fault): string {
  if (fault.kind === 'address not allowed') return 'WEBHOOK_ALLOW_CIDRS must allow its address';
  return 'reason' in fault ? `${fault.kind}, ${printable(fault.reason, 300)}` : fault.kind;
}

function mayPass({ kind }: Fault): boolean {
  return kind === 'timed out' || kind === 'connection closed';
}

/** As long as the server says, or twice as long each time. */
function pauseAfter(answer: Answer | undefined, attempt: number): number {
  const asked = answer?.headers.find(([name]) => name === 'retry-after')?.[1] ?? '';
  const pause = /^\d{1,6}$/.test(asked) ? Number(asked) * SECOND_MS : 2 ** (attempt - 1) * SECOND_MS;
  return Math.min(pause, MAX_PAUSE_MS);
}
