import { type Address, type Place, pageOf, parseAddress } from './address.ts';
import type { WidgetConfig } from './config.ts';
import { type Look, Panel } from './panel.ts';

// The widget: `/widget.js`, for pages of other sites. docs/widget.md describes its calls.

type Done = (error?: string) => void;
type Init = Look & {
  /** The address of the board; by default the host of this script has only one. */
  url?: string;
  /** What opens the panel, instead of the button. */
  selector?: string;
  /** Whether there is a button. */
  button?: boolean;
};

/** Calls that a page makes before the script has loaded; further ones are not meant. */
const MAX_CALLS = 100;
/** Links to a board; the second attribute is that of the hosted product. */
const LINKS = 'a[data-earshot], a[data-nolt]';

/** Where a page has what the script does when it is loaded again: all state is that of the first. */
const LOADED = Symbol.for('earshot.widget');
const page = window as unknown as Page;
const queues = new WeakSet<Queue>();

const { src } = (document.currentScript as HTMLScriptElement | null) ?? {};
const server = src === undefined ? location.origin : new URL('.', src).href.slice(0, -1);
/** The servers that a token may go to: links may be written by anyone who writes on the site. */
const trusted = new Set([server]);
const panels = new Map<string, Promise<Panel>>();
const listeners = new Map<string, Set<(event: string) => void>>();
let options: Init = {};
/** The board of `init`; null before that, and on pages that only have links. */
let board: Address | null = null;
let token: string | null = null;

function init(asked: Init = {}, isNolt = false): void {
  options = isSelector(asked.selector) ? asked : { ...asked, selector: '' };
  board = isNolt && asked.url === undefined ? null : parseAddress(asked.url ?? server, server);
  if (!board) return;
  trusted.add(board.base);
  const hasButton = asked.button ?? asked.selector === undefined;
  const call = options;
  openBoard(board).then((panel) => {
    panel.attach();
    if (call === options) showButton(hasButton ? panel : null);
    emit('ready');
  }, warn);
}

/** A page has one button at most, as its last call of `init` says. */
function showButton(panel: Panel | null): void {
  for (const made of panels.values()) made.then((each) => each.showButton(each === panel), warn);
}

/** Without a board, the token waits for one: pages may call `init` afterwards. */
function identify(user?: { jwt?: unknown }, done?: Done): void {
  if (typeof user?.jwt !== 'string') throw new Error('identify takes { jwt }');
  token = user.jwt;
  if (board) signIn(openBoard(board, false), token, done);
  else finish(done, null);
}

function logout(done?: Done): void {
  token = null;
  const all = [...panels.values()].map(async (panel) => (await panel).frame.identify(null));
  Promise.all(all).then(() => {
    emit('logout');
    finish(done, null);
  }, warn);
}

function open(place: Place = {}): void {
  const opener = document.activeElement;
  if (!board) throw new Error('open needs init');
  openBoard(board).then((panel) => panel.open({ page: pageOf(place), opener }), warn);
}

function close(): void {
  for (const panel of panels.values()) panel.then((opened) => opened.close(), warn);
}

function on(event: unknown, listener: unknown): void {
  if (typeof event !== 'string' || typeof listener !== 'function') throw new Error('on takes an event and a function');
  listeners.set(event, (listeners.get(event) ?? new Set()).add(listener as () => void));
}

const known: Record<string, (...args: never[]) => void> = { init, identify, logout, open, close, on };

/** Does what a page has called. A mistake in it never stops the page. */
function run(call: unknown, isNolt: boolean): void {
  const [name, ...args] = Array.from((call ?? []) as ArrayLike<unknown>);
  try {
    if (name === 'init') init(args[0] as Init | undefined, isNolt);
    else if (typeof name === 'string' && Object.hasOwn(known, name)) known[name]?.(...(args as never[]));
    else warn(`there is no call ${String(name).slice(0, 50)}`);
  } catch (error) {
    warn(error);
  }
}

/** The panel of a board, which is made once. @param signsIn whether the token, if there is one, is handed over to it */
function openBoard(address: Address, signsIn = true): Promise<Panel> {
  const { base, pid } = address;
  const key = `${base}/${pid ?? ''}`;
  const made = panels.get(key);
  if (made) return made;
  const panel = makePanel(base, pid);
  panels.set(key, panel);
  // It is tried again when it is asked for again.
  panel.catch(() => panels.delete(key));
  if (signsIn && token !== null && trusted.has(base)) signIn(panel, token);
  return panel;
}

async function makePanel(base: string, pid: string | null): Promise<Panel> {
  const address = new URL(`${base}${pid === null ? '' : `/b/${pid}`}/widget-config.js`);
  if (options.language) address.searchParams.set('language', options.language);
  const { default: config }: { default: WidgetConfig } = await import(/* @vite-ignore */ address.href);
  if (config.pid === null) throw new Error(`there is no board at ${base}: its address has to be complete`);
  return new Panel({ base, pid: config.pid, config, look: options, emit });
}

function signIn(panel: Promise<Panel>, jwt: string, done?: Done): void {
  const signedIn = panel.then(({ frame }) => frame.identify(jwt));
  signedIn.catch(String).then((error) => {
    if (error === null) emit('identify');
    else warn(error);
    finish(done, error);
  });
}

function finish(done: unknown, error: string | null): void {
  if (typeof done === 'function') done(...(error === null ? [] : [error]));
}

function emit(event: string): void {
  for (const listener of listeners.get(event) ?? []) {
    try {
      listener(event);
    } catch (error) {
      warn(error);
    }
  }
}

function warn(what: unknown): void {
  console.warn('Earshot:', what);
}

function isSelector(selector: unknown): boolean {
  if (!selector) return true;
  try {
    return document.querySelector(String(selector)) !== undefined;
  } catch {
    warn(`${selector} is no selector`);
    return false;
  }
}

/** Clicks on links to the board, and on what `init` has named. */
function onClick(event: MouseEvent): void {
  const target = event.target instanceof Element && !event.defaultPrevented ? event.target : null;
  const link = target?.closest<HTMLAnchorElement>(LINKS);
  if (link) onLink(event, link);
  const opener = options.selector && !link ? target?.closest(options.selector) : null;
  if (!opener || !board || event.button !== 0) return;
  event.preventDefault();
  openBoard(board).then((panel) => panel.open({ opener }), warn);
}

/** An empty attribute signs in on the way to the board; every other value opens it in the panel. */
function onLink(event: MouseEvent, link: HTMLAnchorElement): void {
  const kind = link.dataset.earshot ?? link.dataset.nolt;
  const address = parseAddress(link.href, server);
  if (!address || !trusted.has(address.base)) return;
  if (kind === '' || kind === 'true') {
    signInOnTheWay(link, address);
    return;
  }
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  openBoard(address).then((panel) => panel.open({ page: address.page, isModal: kind === 'modal', opener: link }), warn);
}

/** The browser follows the link while it has the address with the token, and no longer. */
function signInOnTheWay(link: HTMLAnchorElement, { base, pid }: Address): void {
  if (token === null) return;
  const { href } = link;
  const returnUrl = new URL(href);
  const door = new URL(`${base}${pid === null ? '' : `/b/${pid}`}/sso/${encodeURIComponent(token)}`);
  door.searchParams.set('returnUrl', returnUrl.pathname + returnUrl.search + returnUrl.hash);
  link.href = door.href;
  setTimeout(() => {
    link.href = href;
  });
}

type Queue = { push(...calls: unknown[]): unknown } & Partial<ArrayLike<unknown>>;
type Page = Record<'earshot' | 'nolt', unknown> &
  Record<'earshotQueue' | 'noltQueue', Queue | undefined> &
  Record<typeof LOADED, (() => void) | undefined>;

/** Does what the page has called already, and from now on each call at once. */
function listen(name: 'earshot' | 'nolt'): void {
  const isNolt = name === 'nolt';
  const waiting = page[`${name}Queue`];
  const queue: Queue = Array.isArray(waiting) ? waiting : [];
  if (queues.has(queue)) return;
  queues.add(queue);
  const before = Array.from(queue as ArrayLike<unknown>).slice(0, MAX_CALLS);
  queue.push = (...made) => {
    for (const call of made) run(call, isNolt);
  };
  page[`${name}Queue`] = queue;
  page[name] = (...call: unknown[]) => run(call, isNolt);
  for (const call of before) run(call, isNolt);
}

/** Takes calls and clicks, and again those of a page that has begun anew and loaded the script once more. */
function listenToPage(): void {
  document.addEventListener('click', onClick);
  document.addEventListener('auxclick', onClick);
  listen('earshot');
  listen('nolt');
}

page[LOADED] ??= listenToPage;
page[LOADED]();
