import { EMBED, embeddedPid, isChoice, JAR_HEADER } from '#src/pages/embeddable.ts';
import type { BrowserStorage } from '../lib/browser-storage.ts';

/**
 * The cookies of a page in a frame: browsers keep none for another site, so the page keeps them itself and sends them in
 * a header of its own, see docs/decisions/0025-widget.md.
 */
const jar = new Map<string, string>();

/** Where a tab keeps them while it stays on the site around the frame. */
const PLACE = 'earshot.jar';
/**
 * Sessions by a token of the site around the frame. That site gives a token on each of its pages, if its user is still
 * signed in there: until then, a former session counts for nothing.
 */
const BY_TOKEN = 'earshot.sso.';
const former = new Map<string, string>();
const CHOICES = ['theme', 'language'];

let pid: string | null = null;
let storage: BrowserStorage | null = null;
/** The path under which the server is reached. */
let prefix = '';

/** The board with which the frame was loaded. */
export function ownPid(): string | null {
  return pid;
}

/**
 * From now on all requests of the page go to the pages of frames, with the jar. It imports neither of what it is given: that
 * would take the entry of all pages a list of files.
 */
export function keepJar(ofTab: BrowserStorage, ofServer: string): void {
  storage = ofTab;
  prefix = ofServer;
  restore();
  pid = embeddedPid(location.pathname.slice(prefix.length) + location.search);
  const { fetch: send } = window;
  window.fetch = async (input, init) => {
    const request = new Request(typeof input === 'string' ? inFrame(input) : input, init);
    request.headers.set(JAR_HEADER, print());
    const response = await send(request);
    take(response.headers.get(JAR_HEADER));
    return response;
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (this: XMLHttpRequest, method: string, url: string | URL) {
    open.call(this, method, inFrame(String(url)), true);
    this.setRequestHeader(JAR_HEADER, print());
  };
}

/** Sends the former sessions again, so that a new one takes their place. */
export function takeFormer(): void {
  for (const [name, value] of former) jar.set(name, value);
  former.clear();
}

function inFrame(address: string): string {
  return address.startsWith(`${prefix}/b/`) ? prefix + EMBED + address.slice(prefix.length) : address;
}

function print(): string {
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
}

/** Takes what a response has set, as `Set-Cookie` headers do. */
function take(list: string | null): void {
  if (list === null) return;
  for (const cookie of JSON.parse(list) as string[]) {
    const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === '' || /;\s*max-age=0/i.test(cookie)) jar.delete(name);
    else jar.set(name, value);
  }
  storage?.set(PLACE, JSON.stringify([...jar]));
}

function restore(): void {
  for (const [name, value] of JSON.parse(storage?.get(PLACE) ?? '[]') as [string, string][]) {
    if (!CHOICES.includes(name)) (name.startsWith(BY_TOKEN) ? former : jar).set(name, value);
  }
  const query = new URLSearchParams(location.search);
  for (const name of CHOICES) {
    const value = query.get(name) ?? '';
    if (isChoice(value)) jar.set(name, value);
  }
}
