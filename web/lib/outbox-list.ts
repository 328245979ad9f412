import { siteStorage } from './browser-storage.ts';

/** What a form sends, and what it is for its visitor: the words that they wrote, or the title of the idea that they vote for. */
export type Outgoing = {
  kind: 'vote' | 'unvote' | 'comment' | 'post';
  words: string;
  /** The address that it is sent to, and its fields. */
  action: string;
  fields: [name: string, value: string][];
};

/** What a form would send; null with files, which are not kept here. */
export function describeForm(form: HTMLFormElement, kind: 'comment' | 'post'): Outgoing | null {
  const sent = [...new FormData(form)].filter(([, value]) => typeof value === 'string' || value.size > 0);
  const fields = sent.filter((field): field is [string, string] => typeof field[1] === 'string');
  if (fields.length < sent.length) return null;
  const words = new Map(fields).get(kind === 'post' ? 'title' : 'text') ?? '';
  return { kind, words, action: form.action, fields };
}

/** What a vote would send. @param title that of its idea */
export function describeVote(title: string, action: string, isVote: boolean): Outgoing {
  const fields: Outgoing['fields'] = [['vote', isVote ? 'up' : 'none']];
  const address = new URL(action, window.location.href).href;
  return { kind: isVote ? 'vote' : 'unvote', words: title, action: address, fields };
}

/** What the server has not answered, whose it is (null for an anonymous visitor), and why it was refused since. */
export type Waiting = Outgoing & { key: string; sender: Sender; date: number; refusal?: string };

/** Whose it is, and the address of the board. */
export type Sender = { board: string; visitor: string | null };

/** Tells the page that something has come into the outbox, or has left it. */
export const OUTBOX = 'earshot-outbox';

/** The beginning of the names under which browsers keep it. */
const PREFIX = 'earshot outbox ';
const MOST = 50;
/** A megabyte, as browsers count. */
const MOST_CHARACTERS = 500_000;
const KEPT_MS = 7 * 24 * 3_600_000;

/** The keys of what the forms on this page send again themselves. */
const held = new Set<string>();

/**
 * Keeps what the server does not answer, also after the page and its tab. While a form of this page holds it, the form
 * sends it again itself (`web/parts/requests/resend.ts`). What does not fit is kept by its form alone.
 * @returns whether it fits
 */
export function hold(waiting: Waiting): boolean {
  const text = JSON.stringify(waiting);
  const others = readAll().filter(({ key }) => key !== waiting.key);
  const size = others.reduce((sum, other) => sum + JSON.stringify(other).length, text.length);
  if (others.length >= MOST || size > MOST_CHARACTERS) return false;
  held.add(waiting.key);
  siteStorage.set(PREFIX + waiting.key, text);
  return true;
}

/** Leaves it to the outbox, when its form is gone. */
export function release(key: string): void {
  if (held.delete(key)) tell();
}

/** Forgets what has been answered, or is no longer wanted. */
export function drop(key: string): void {
  held.delete(key);
  siteStorage.remove(PREFIX + key);
  tell();
}

/** Notes why the server has refused it; without a reason it is sent once more. What was forgotten by then stays so. */
export function refuse(waiting: Waiting, refusal: string | undefined): void {
  if (siteStorage.get(PREFIX + waiting.key) == null) return;
  siteStorage.set(PREFIX + waiting.key, JSON.stringify({ ...waiting, refusal }));
  tell();
}

/** Forgets all, when its visitor signs out. */
export function forgetOutbox(): void {
  for (const { key } of readAll()) drop(key);
}

/** What waits, the oldest first, except what a form of this page holds. What another visitor of the browser left is forgotten. */
export function listWaiting({ board, visitor }: Sender): Waiting[] {
  const here = readAll().filter(({ sender }) => sender.board === board);
  if (visitor !== null)
    for (const { key, sender } of here) if (sender.visitor !== visitor) siteStorage.remove(PREFIX + key);
  const own = here.filter(({ key, sender }) => sender.visitor === visitor && !held.has(key));
  return own.sort((a, b) => a.date - b.date);
}

/** All that waits in this browser. */
function readAll(): Waiting[] {
  const names = siteStorage.names().filter((name) => name.startsWith(PREFIX));
  return names.flatMap((name) => {
    const waiting = JSON.parse(siteStorage.get(name) ?? 'null') as Waiting | null;
    if (waiting && waiting.date > Date.now() - KEPT_MS) return waiting;
    siteStorage.remove(name);
    return [];
  });
}

/** Tells the page that something has changed. */
function tell(): void {
  window.dispatchEvent(new Event(OUTBOX));
}
