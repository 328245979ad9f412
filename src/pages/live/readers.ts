import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type PostPlace, readLiveFacts } from '../../feedback/posts/live-facts.ts';
import { isTeam } from '../../feedback/visibility/posts.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Clock, SECOND_MS } from '../../platform/lib/clock.ts';
import type { Logger } from '../../platform/lib/log.ts';
import { Presence } from './presence.ts';
import { isSameViewer, type LiveViewer, type PostState, writeMessage } from './viewer.ts';

/** Maximum number of open pages with live updates from one process, in total and for one network. */
export const READERS = { all: 2_000, network: 200 } as const;
/** How often the posts on open pages are read, and how many at a time: about 5 ms on SQLite. */
const LOOK_MS = 400;
const POSTS_AT_A_TIME = 1_000;
/** The longest time without a message, which keeps proxies from closing the connection. */
const HEARTBEAT_MS = 15 * SECOND_MS;
/** How long browsers wait before they connect again; each a different time, or all would come at once after a restart. */
const RETRY_MS = { from: 2 * SECOND_MS, to: 6 * SECOND_MS };
/** Bytes that wait for a reader who does not take them; then the connection is closed. */
const MAX_WAITING = 65_536;
/** Writes in one turn of the event loop: each takes 15 µs. */
const WRITES_PER_TURN = 200;
/** How often the session and the rights of a viewer are read again, and how many at a time. */
const CHECK_MS = 30 * SECOND_MS;
const CHECKS_AT_A_TIME = 50;

/** An open page. */
export type Reader = {
  readonly raw: ServerResponse;
  readonly network: string;
  readonly viewer: LiveViewer;
  /** The number of the post that the page is about, if any. */
  readonly open: number | null;
  /** Reads again who the viewer is; null for anonymous ones, who can lose nothing. */
  readonly findViewer: (() => Promise<LiveViewer | null>) | null;
};

/** A post on open pages: what is known of it, and the pages that have had no message about it yet. */
type Shown = PostPlace & { state: PostState; key: string; readers: Set<Reader>; waiting: Set<Reader> };

type ReadersDeps = { db: Db; log: Logger; clock: Clock };

/**
 * The open pages of this process, and the posts on them. All posts are read in one statement, on however many pages they
 * are, and only while they are on one. So it does not matter which process changed them.
 */
export class Readers {
  readonly #db: Db;
  readonly #log: Logger;
  readonly #clock: Clock;
  readonly #lookMs: number;
  readonly #presence: Presence;
  readonly #readers = new Set<Reader>();
  /** When the viewers with a session are checked next, in that order. */
  readonly #checks = new Map<Reader, number>();
  readonly #networks = new Map<string, number>();
  /** By board and number; those that were read last are at the end. */
  readonly #posts = new Map<string, Shown>();
  /** Runs what goes on for hours outside the request that began it, whose trace would otherwise never end. */
  readonly #apart = AsyncLocalStorage.snapshot();
  #looking: NodeJS.Timeout | null = null;
  #beatAt = 0;
  #isFailing = false;
  #isClosed = false;

  constructor({ db, log, clock }: ReadersDeps, lookMs = LOOK_MS) {
    this.#db = db;
    this.#log = log;
    this.#clock = clock;
    this.#lookMs = lookMs;
    this.#presence = new Presence(clock);
  }

  /** How many there are. */
  get count(): number {
    return this.#readers.size;
  }

  /** Whether there is room for another page of a network. */
  hasRoom(network: string): boolean {
    return this.#readers.size < READERS.all && (this.#networks.get(network) ?? 0) < READERS.network;
  }

  /** Sends a page the state of these posts, and each change of it, until its connection ends. */
  enter(reader: Reader, boardId: string, numbers: readonly number[]): void {
    const { raw, network, viewer, open } = reader;
    raw.write(`retry: ${Math.round(RETRY_MS.from + Math.random() * (RETRY_MS.to - RETRY_MS.from))}\n\n`);
    if (this.#isClosed) return void raw.end();
    this.#readers.add(reader);
    if (reader.findViewer) this.#checks.set(reader, this.#clock.now() + CHECK_MS);
    this.#networks.set(network, (this.#networks.get(network) ?? 0) + 1);
    const posts = [...new Set(numbers)].map((number) => this.#postOf({ boardId, number }));
    for (const { readers, waiting } of posts) {
      readers.add(reader);
      waiting.add(reader);
    }
    const isPresent = open !== null && isTeam(viewer.user) && numbers.includes(open);
    const unopen = isPresent && viewer.user && this.#presence.enter(keyOf({ boardId, number: open }), viewer.user);
    raw.once('close', () => {
      if (unopen) unopen();
      this.#leave(reader, posts);
    });
    this.#looking ??= this.#lookLater();
  }

  /** Ends all streams: browsers connect again, to another process or to the next one. */
  close(): void {
    this.#isClosed = true;
    for (const { raw } of this.#readers) raw.end();
  }

  #postOf(place: PostPlace): Shown {
    const known = this.#posts.get(keyOf(place));
    if (known) return known;
    const post = { ...place, state: UNKNOWN, key: '', readers: new Set<Reader>(), waiting: new Set<Reader>() };
    this.#posts.set(keyOf(place), post);
    return post;
  }

  #leave(reader: Reader, posts: readonly Shown[]): void {
    this.#readers.delete(reader);
    this.#checks.delete(reader);
    const others = (this.#networks.get(reader.network) ?? 1) - 1;
    if (others > 0) this.#networks.set(reader.network, others);
    else this.#networks.delete(reader.network);
    for (const post of posts) {
      post.readers.delete(reader);
      post.waiting.delete(reader);
      if (post.readers.size === 0) this.#posts.delete(keyOf(post));
    }
  }

  #lookLater(): NodeJS.Timeout {
    return this.#apart(() => setTimeout(() => this.#look(), this.#lookMs).unref());
  }

  async #look(): Promise<void> {
    const posts = this.#nextPosts();
    try {
      this.#presence.sweep();
      const news = await this.#readNews(posts);
      await this.#check();
      await this.#send(news);
      this.#isFailing = false;
    } catch (err) {
      // Once the store is back, all pages get the state again.
      for (const post of posts) Object.assign(post, { state: UNKNOWN, key: '' });
      if (!this.#isFailing) this.#log.warn({ err }, 'Open pages get no live updates at the moment');
      this.#isFailing = true;
    } finally {
      this.#looking = this.#readers.size > 0 ? this.#lookLater() : null;
    }
  }

  /** The posts that were read longest ago. */
  #nextPosts(): Shown[] {
    const posts = this.#posts.values().take(POSTS_AT_A_TIME).toArray();
    if (posts.length === this.#posts.size) return posts;
    for (const post of posts) {
      this.#posts.delete(keyOf(post));
      this.#posts.set(keyOf(post), post);
    }
    return posts;
  }

  /** Reads posts. @returns the messages for each page: about posts that have changed, and those that it has had none about */
  async #readNews(posts: readonly Shown[]): Promise<Map<Reader, string>> {
    // Pages that come while the posts are read wait for the next time: they may be newer than what is read.
    const asked = posts.map((post) => ({ post, waiting: post.waiting }));
    for (const post of posts) post.waiting = new Set();
    const found = await readLiveFacts(this.#db.read, posts.map(placeOf));
    const factsOf = new Map(found.map((facts) => [keyOf(facts), facts]));
    const news = new Map<Reader, string>();
    for (const { post, waiting } of asked) {
      const before = post.state;
      const state = { facts: factsOf.get(keyOf(post)) ?? null, open: this.#presence.of(keyOf(post)) };
      const key = JSON.stringify(state);
      const receivers = key === post.key ? waiting : post.readers;
      Object.assign(post, { state, key });
      for (const reader of receivers) {
        const text = writeMessage(state, reader.viewer);
        if (text === null || (!waiting.has(reader) && text === writeMessage(before, reader.viewer))) continue;
        news.set(reader, (news.get(reader) ?? '') + text);
      }
    }
    return news;
  }

  /** Ends the streams of viewers whose rights have changed: their browsers connect again, with those that they have now. */
  async #check(): Promise<void> {
    const due = this.#checks.entries().filter(([, at]) => at <= this.#clock.now());
    for (const [reader] of due.take(CHECKS_AT_A_TIME).toArray()) {
      this.#checks.delete(reader);
      const found = (await reader.findViewer?.().catch(() => null)) ?? null;
      if (!isSameViewer(reader.viewer, found)) reader.raw.end();
      else if (this.#readers.has(reader)) this.#checks.set(reader, this.#clock.now() + CHECK_MS);
    }
  }

  async #send(news: ReadonlyMap<Reader, string>): Promise<void> {
    const isBeat = performance.now() - this.#beatAt > HEARTBEAT_MS;
    if (isBeat) this.#beatAt = performance.now();
    let written = 0;
    for (const reader of isBeat ? [...this.#readers] : news.keys()) {
      write(reader, news.get(reader) ?? ':\n\n');
      if (++written % WRITES_PER_TURN === 0) await nextTurn();
    }
  }
}

function write({ raw }: Reader, text: string): void {
  if (raw.destroyed || raw.writableEnded) return;
  if (raw.writableLength > MAX_WAITING) raw.destroy();
  else raw.write(text);
}

/** A post that has not been read yet. */
const UNKNOWN: PostState = { facts: null, open: [] };

const placeOf = ({ boardId, number }: PostPlace): PostPlace => ({ boardId, number });

const keyOf = ({ boardId, number }: PostPlace): string => `${boardId} ${number}`;
