import { isStorageDenied, siteStorage } from '../lib/browser-storage.ts';

/** A vote on a post of a board: what the server says of it. */
type Vote = { upvoteCount: number; viewerVote: 'UP' | 'DOWN' | null };
type Post = Vote & { id: string; title: string; isLocked: boolean };
type Answer = {
  data?: Record<string, (Vote & Partial<Post>) | null> | null;
  errors?: { message: string; extensions?: { code: string } }[];
};

/** How long an answer may take. */
const PATIENCE_MS = 20_000;
/** Between the elements of one page. */
const VOTED = 'earshot-voted';

const STYLE = `:host{display:inline-block;max-width:100%}
button{font:inherit;color:inherit;display:inline-flex;align-items:center;gap:.5em;max-width:100%;overflow-wrap:anywhere;
text-align:start;padding:.4em .8em;border:1px solid;border-radius:.5em;background:none;cursor:pointer}
button[aria-pressed=true]{color:var(--earshot-accent,inherit);font-weight:bold;box-shadow:inset 0 0 0 1px}
[aria-pressed=true] span::after{content:" ✓";content:" ✓"/""}
button:focus-visible{outline:2px solid;outline-offset:2px}button[aria-disabled=true]{opacity:.6;cursor:default}
[role=status]:not(:empty){margin-inline-start:.5em;font-size:.85em}`;

/** A style sheet of a script, which no policy of the site forbids. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

/** What the server returns a visitor with, in the fragment of the address. */
const back = new URLSearchParams(location.hash.slice(1));
const returned = back.get('earshot');
/** The post that they have voted for, until the vote is cast. */
let due = back.get('post');

/**
 * `<earshot-vote board="https://feedback.example.com/b/acme" publishable-key="epk_…" post="12">`: a button that votes for an
 * idea. A visitor is asked once, on the board, whether the site may vote in their name. Its content is what stands before the
 * number of votes. It sends an event `vote`, and `error`.
 */
class EarshotVote extends HTMLElement {
  static observedAttributes = ['board', 'publishable-key', 'post'];

  readonly #button = document.createElement('button');
  readonly #count = document.createElement('span');
  readonly #status = document.createElement('span');
  #post: Post | null = null;
  #turn = 0;
  #isBusy = false;

  constructor() {
    super();
    const label = document.createElement('slot');
    label.textContent = '▲';
    this.#button.type = 'button';
    this.#button.part.add('button');
    this.#count.part.add('count');
    this.#status.part.add('status');
    this.#status.role = 'status';
    this.#button.append(label, this.#count);
    this.#button.onclick = () => this.#toggle();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#button, this.#status);
  }

  connectedCallback() {
    // Other tabs of the site ask the visitor, and vote; so do other elements of the page.
    addEventListener('storage', this.#heardOfTab);
    addEventListener(VOTED, this.#heardOfPage);
    this.attributeChangedCallback();
  }

  disconnectedCallback() {
    removeEventListener('storage', this.#heardOfTab);
    removeEventListener(VOTED, this.#heardOfPage);
  }

  readonly #heardOfTab = ({ key }: StorageEvent) => {
    if (key?.startsWith(this.#token)) this.#load(++this.#turn);
  };

  readonly #heardOfPage = (event: Event) => {
    const { detail } = event as CustomEvent<Post>;
    if (this.#isBusy || detail.id !== this.#post?.id) return;
    Object.assign(this.#post, detail);
    this.#show(detail);
  };

  /** Attributes may come one after the other. */
  async attributeChangedCallback() {
    const turn = ++this.#turn;
    await null;
    if (turn === this.#turn && this.isConnected && this.#board) await this.#load(turn);
  }

  #of(name: string): string {
    return this.getAttribute(name) ?? '';
  }

  get #board() {
    return this.#of('board').replace(/\/+$/, '');
  }

  /** Where the token of the visitor is kept. */
  get #token() {
    return `earshot ${this.#of('publishable-key')}`;
  }

  async #load(turn: number) {
    const isReturned = this.#takeToken() && due === this.#of('post');
    const data = await this.#ask('vote', { number: Number(this.#of('post')) });
    if (turn !== this.#turn || !data) return;
    this.#post = (data.postByNumber as Post | null | undefined) ?? null;
    if (!this.#post) return this.#fail('There is no such idea');
    this.#show(this.#post);
    if (!isReturned) return;
    due = null;
    if (this.#post.viewerVote !== 'UP') await this.#toggle();
  }

  /** Keeps the token that the visitor has come back with, if this browser has asked for it. @returns whether it has */
  #takeToken(): boolean {
    if (!returned) return false;
    const name = `${this.#token} state`;
    const state = siteStorage.get(name);
    if (state === null ? isStorageDenied() : state === back.get('state')) {
      siteStorage.remove(name);
      siteStorage.set(this.#token, returned);
      history.replaceState(
        history.state,
        '',
        location.pathname + location.search + (/^#.*/.exec(back.get('hash') ?? '')?.[0] ?? ''),
      );
    }
    return siteStorage.get(this.#token) === returned;
  }

  #show({ upvoteCount, viewerVote }: Vote) {
    const { title, isLocked } = this.#post as Post;
    this.#count.textContent = upvoteCount.toLocaleString(document.documentElement.lang || undefined);
    this.#button.title = title;
    this.#button.ariaPressed = String(viewerVote === 'UP');
    this.#button.ariaDisabled = String(isLocked);
    this.#status.textContent = '';
  }

  async #toggle() {
    const post = this.#post;
    // A disabled button would lose the focus.
    if (this.#isBusy || post?.isLocked) return;
    if (!post) return this.#load(++this.#turn);
    if (siteStorage.get(this.#token) === null) return this.#leave();
    const isUp = post.viewerVote === 'UP';
    this.#isBusy = true;
    this.#show({ upvoteCount: post.upvoteCount + (isUp ? -1 : 1), viewerVote: isUp ? null : 'UP' });
    const data = await this.#ask(isUp ? 'unvote' : 'upvote', { id: post.id });
    this.#isBusy = false;
    const vote = data && Object.values(data)[0];
    const said = this.#status.textContent;
    this.#show(Object.assign(post, vote));
    this.#status.textContent = said;
    if (!vote) return;
    siteStorage.set(`${this.#token} vote`, `${post.id} ${vote.viewerVote} ${vote.upvoteCount}`);
    dispatchEvent(new CustomEvent(VOTED, { detail: post }));
    this.dispatchEvent(new CustomEvent('vote', { bubbles: true, detail: { ...post } }));
  }

  /** To the page of the board that asks the visitor. */
  #leave() {
    const state = crypto.getRandomValues(new Uint32Array(4)).join('');
    siteStorage.set(`${this.#token} state`, state);
    const { origin, pathname, search, hash } = location;
    const asked = {
      key: this.#of('publishable-key'),
      return: origin + pathname + search,
      post: this.#of('post'),
      state,
      hash,
    };
    const url = `${this.#board}/allow?${new URLSearchParams(asked)}`;
    const target = this.getAttribute('target');
    if (target) open(url, target, 'noopener');
    else location.assign(url);
  }

  async #ask(documentId: string, variables: object): Promise<Answer['data']> {
    const token = siteStorage.get(this.#token);
    const headers: HeadersInit = { 'content-type': 'application/json', apikey: this.#of('publishable-key') };
    if (token) headers['earshot-visitor'] = token;
    try {
      const url = this.#board.replace(/\/b\/[^/]+$/, '/api/v1/graphql');
      const body = JSON.stringify({ documentId, variables });
      const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(PATIENCE_MS) });
      const { data, errors }: Answer = await response.json();
      const [error] = errors ?? [];
      if (!error) return data;
      if (!token || error.extensions?.code !== 'UNAUTHENTICATED') throw new Error(error.message);
    } catch (error) {
      this.#fail((error as Error).message);
      return null;
    }
    // The visitor has taken it back, or it has expired.
    siteStorage.remove(this.#token);
    if (documentId === 'vote') return this.#ask(documentId, variables);
    this.#leave();
    return null;
  }

  /** Another click tries again. */
  #fail(message: string) {
    this.#status.textContent = `⚠ ${message}`;
    this.dispatchEvent(new CustomEvent('error', { detail: { message } }));
  }
}

customElements.get('earshot-vote') ?? customElements.define('earshot-vote', EarshotVote);
