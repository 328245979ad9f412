import { isStorageDenied, siteStorage } from '../lib/browser-storage.ts';

/** A vote on a post of a board: what the server says of it. */
type Vote = { upvoteCount: number; viewerVote: 'UP' | 'DOWN' | null };
type Post = Vote & { id: string; title: string; isLocked: boolean };
type Answer = {
  data?: Record<string, (Vote & Partial<Post>) | null> | null;
  errors?: { message: string; extensions: { code: string } }[];
};

const STYLE = `:host{display:inline-block}button{font:inherit;color:inherit;display:inline-flex;align-items:center;gap:.5em;
padding:.4em .8em;border:1px solid;border-radius:.5em;background:none;cursor:pointer}
button[aria-pressed=true]{color:var(--earshot-accent,#2459d6)}
button:focus-visible{outline:2px solid;outline-offset:2px}button:disabled{opacity:.5;cursor:default}[role=status]{display:block}`;

/** A style sheet of a script, which no policy of the site forbids. */
const sheet = new CSSStyleSheet();
sheet.replaceSync(STYLE);

/** What the server returns a visitor with, in the fragment of the address. */
const back = new URLSearchParams(location.hash.slice(1));
const returned = back.get('earshot');

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
  readonly #heard = ({ key }: StorageEvent) => {
    if (key?.startsWith(this.#token)) this.#load(++this.#turn);
  };

  constructor() {
    super();
    const label = document.createElement('slot');
    label.textContent = '▲';
    this.#button.type = 'button';
    this.#button.part.add('button');
    this.#count.part.add('count');
    this.#status.part.add('status');
    this.#status.setAttribute('role', 'status');
    this.#button.append(label, this.#count);
    this.#button.onclick = () => this.#toggle();
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [sheet];
    root.append(this.#button, this.#status);
  }

  connectedCallback() {
    // Other tabs of the site ask the visitor, and vote.
    addEventListener('storage', this.#heard);
    this.attributeChangedCallback();
  }

  disconnectedCallback() {
    removeEventListener('storage', this.#heard);
  }

  /** Attributes may come one after the other. */
  async attributeChangedCallback() {
    const turn = ++this.#turn;
    await null;
    if (turn === this.#turn && this.isConnected && this.#of('board')) await this.#load(turn);
  }

  #of(name: string): string {
    return this.getAttribute(name) ?? '';
  }

  get #token() {
    return `earshot ${this.#of('publishable-key')}`;
  }

  async #load(turn: number) {
    this.#button.disabled = true;
    const isReturned = back.get('post') === this.#of('post') && this.#takeToken();
    const post = (await this.#ask('vote', { number: Number(this.#of('post')) }))?.postByNumber;
    if (turn !== this.#turn || !post) return;
    this.#post = post as Post;
    this.#show(post);
    if (isReturned && post.viewerVote !== 'UP') await this.#toggle();
  }

  /** Keeps the token that the visitor has come back with, if this browser has asked for it. */
  #takeToken(): boolean {
    const name = `${this.#token} state`;
    if (!returned || (siteStorage.get(name) !== back.get('state') && !isStorageDenied())) return false;
    siteStorage.remove(name);
    siteStorage.set(this.#token, returned);
    history.replaceState(history.state, '', location.pathname + location.search + (back.get('hash') ?? ''));
    return true;
  }

  #show({ upvoteCount, viewerVote }: Vote) {
    const { title, isLocked } = this.#post as Post;
    this.#count.textContent = upvoteCount.toLocaleString(document.documentElement.lang || undefined);
    this.#button.title = title;
    this.#button.ariaPressed = String(viewerVote === 'UP');
    this.#button.disabled = isLocked;
    this.#status.textContent = '';
  }

  async #toggle() {
    const post = this.#post;
    if (!post) return this.#load(++this.#turn);
    if (siteStorage.get(this.#token) === null) return this.#leave();
    const isUp = post.viewerVote === 'UP';
    const next = { upvoteCount: post.upvoteCount + (isUp ? -1 : 1), viewerVote: isUp ? null : ('UP' as const) };
    this.#show(next);
    this.#button.disabled = true;
    const data = await this.#ask(isUp ? 'unvote' : 'upvote', { id: post.id });
    const vote = data && Object.values(data)[0];
    const said = this.#status.textContent;
    Object.assign(post, vote);
    this.#show(post);
    if (vote) siteStorage.set(`${this.#token} vote`, `${post.id} ${vote.viewerVote} ${vote.upvoteCount}`);
    if (vote) this.dispatchEvent(new CustomEvent('vote', { bubbles: true, detail: { ...post } }));
    else this.#status.textContent = said;
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
    const url = `${this.#of('board')}/allow?${new URLSearchParams(asked)}`;
    const target = this.getAttribute('target');
    if (target) open(url, target, 'noopener');
    else location.assign(url);
  }

  async #ask(documentId: string, variables: object): Promise<Answer['data']> {
    const token = siteStorage.get(this.#token);
    const headers: HeadersInit = { 'content-type': 'application/json', apikey: this.#of('publishable-key') };
    if (token) headers['earshot-visitor'] = token;
    try {
      const url = this.#of('board').replace(/\/b\/[^/]+\/?$/, '/api/v1/graphql');
      const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ documentId, variables }) });
      const { data, errors }: Answer = await response.json();
      const [error] = errors ?? [];
      if (!error) return data;
      if (!token || error.extensions.code !== 'UNAUTHENTICATED') throw new Error(error.message);
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
    this.#status.textContent = '⚠';
    this.#status.title = message;
    this.#button.disabled = false;
    this.dispatchEvent(new CustomEvent('error', { detail: { message } }));
  }
}

customElements.get('earshot-vote') ?? customElements.define('earshot-vote', EarshotVote);
