import type { WidgetConfig } from './config.ts';
import { element } from './elements.ts';
import { type FromFrame, MAX_JWT, type ToFrame } from './messages.ts';

type Deps = { base: string; pid: string; config: WidgetConfig; look: { theme?: string; language?: string } };

/** What the page in the frame asks for, or what its silence does. */
type Requests = { close(): void; seen(): void; news(): number; isSilent(is: boolean): void };

/** How long the page in the frame may take to answer, and how long it may stay silent once it is loaded. */
const PATIENCE_MS = 20_000;
const SILENCE_MS = 5_000;
const SILENT = 'The panel does not answer. Is this website among those where the widget may appear?';
const TOO_LONG = `The token has more than ${MAX_JWT} characters`;

/** The frame with the pages of the board, which is loaded when it is first needed. */
export class Frame {
  readonly element: HTMLIFrameElement;
  readonly #deps: Deps;
  readonly #origin: string;
  readonly #requests: Requests;
  readonly #answers = new Map<number, (error: string | null) => void>();
  /** What is sent once the page in the frame listens; null from then on. */
  #waiting: ToFrame[] | null = [];
  #token: string | null = null;
  #calls = 0;

  constructor(deps: Deps, requests: Requests) {
    this.#deps = deps;
    this.#origin = new URL(deps.base).origin;
    this.#requests = requests;
    this.element = element('iframe', { title: deps.config.texts.dialog, allow: 'clipboard-write' });
    addEventListener('message', (event) => this.#onMessage(event));
  }

  /** Loads a page below the board; one that is there already stays, unless another is asked for. */
  show(page: string | undefined): void {
    if (!this.element.src) this.#load(page);
    else if (page !== undefined) this.#send({ earshot: 'show', path: `/b/${this.#deps.pid}${page}` });
  }

  /** Signs the visitor in, or out. @returns what is wrong */
  async identify(jwt: string | null): Promise<string | null> {
    if (jwt !== null && jwt.length > MAX_JWT) return TOO_LONG;
    this.#token = jwt;
    if (!this.element.src) this.#load();
    const call = ++this.#calls;
    const answer = new Promise<string | null>((resolve) => {
      this.#answers.set(call, resolve);
      setTimeout(() => resolve(SILENT), PATIENCE_MS);
    });
    this.#send(jwt === null ? { earshot: 'logout', call } : { earshot: 'identify', jwt, call });
    return answer;
  }

  #load(page = ''): void {
    const { base, pid, look } = this.#deps;
    const url = new URL(`${base}/embed/b/${pid}${page}`);
    if (look.theme === 'light' || look.theme === 'dark') url.searchParams.set('theme', look.theme);
    if (look.language) url.searchParams.set('language', look.language);
    this.element.src = url.href;
    // A frame that the browser refuses is loaded like any other.
    this.element.onload = () => this.#doubt(SILENCE_MS);
    this.#doubt(PATIENCE_MS);
  }

  #doubt(milliseconds: number): void {
    setTimeout(() => this.#waiting && this.#requests.isSilent(true), milliseconds);
  }

  #send(message: ToFrame): void {
    if (this.#waiting) this.#waiting.push(message);
    else this.element.contentWindow?.postMessage(message, this.#origin);
  }

  /** Other windows and other origins are ignored, and what is no message of ours. */
  #onMessage({ source, origin, data }: MessageEvent<FromFrame | null>): void {
    if (source !== this.element.contentWindow || origin !== this.#origin) return;
    if (data?.earshot === 'ready') {
      const waiting = this.#waiting ?? this.#signInAgain();
      this.#waiting = null;
      const hello = { earshot: 'hello', news: this.#requests.news() } as const;
      for (const message of [hello, ...waiting]) this.#send(message);
      this.#requests.isSilent(false);
    }
    if (data?.earshot === 'done') this.#answers.get(data.call)?.(data.error);
    if (data?.earshot === 'close') this.#requests.close();
    if (data?.earshot === 'seen') this.#requests.seen();
  }

  /** A page that was loaded anew, as after a site has moved the frame, waits for a token before it uses its session. */
  #signInAgain(): ToFrame[] {
    return this.#token === null ? [] : [{ earshot: 'identify', jwt: this.#token, call: 0 }];
  }
}
