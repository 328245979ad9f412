import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import { type Client, createClient } from 'graphql-sse';
import { onEnd } from '../support/cleanup.ts';
import { ADMIN } from './load.ts';

/** How long a subscriber waits before it connects again. */
const RETRY_MS = 500;

/** Follows with a client that is not ours, which connects again by itself. */
export class Follower {
  readonly ids: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #last: string;
  #source: EventSource;

  /** @param after the cursor to begin after; without it, at the first event */
  constructor(t: TestContext, origin: string, key: string, after = '') {
    this.#last = after;
    this.#url = `${origin}/api/v1/events`;
    this.#headers = { apikey: key, ssotype: 'SSO', ssoid: ADMIN };
    this.#source = this.#connect();
    onEnd(t, () => this.end());
  }

  /** Cuts the connection off, and goes on where it was. */
  cut(): void {
    this.end();
    this.#source = this.#connect();
  }

  end(): void {
    this.#source.close();
  }

  #connect(): EventSource {
    const from = this.#last;
    const source = new EventSource(this.#url, {
      fetch: (input, init) => {
        const headers = new Headers({ ...this.#headers, ...init.headers });
        if (!headers.has('last-event-id')) headers.set('last-event-id', from);
        return fetch(input, { ...init, headers });
      },
    });
    source.addEventListener('message', ({ data, lastEventId }) => {
      this.ids.push(JSON.parse(data).id);
      this.#last = lastEventId;
    });
    return source;
  }
}

/** Subscribes with the client of the protocol, which connects again by itself; it is told the last cursor each time. */
export class Subscriber {
  readonly ids: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #last: string;
  #client: Client;

  /** @param after the cursor to begin after; without it, at the first event */
  constructor(t: TestContext, origin: string, key: string, after = '') {
    this.#last = after;
    this.#url = `${origin}/api/v1/graphql`;
    this.#headers = { apikey: key, ssotype: 'SSO', ssoid: ADMIN };
    this.#client = this.#connect();
    onEnd(t, () => this.end());
  }

  /** Cuts the connection off, and goes on where it was. */
  cut(): void {
    this.end();
    this.#client = this.#connect();
  }

  end(): void {
    this.#client.dispose();
  }

  #connect(): Client {
    const client = createClient({
      url: this.#url,
      headers: () => ({ ...this.#headers, ...(this.#last && { 'last-event-id': this.#last }) }),
      retryAttempts: Number.POSITIVE_INFINITY,
      retry: () => delay(RETRY_MS),
    });
    client.subscribe<{ events: { cursor: string; id: string } }>(
      { query: 'subscription { events { cursor id } }' },
      {
        next: ({ data, errors }) => {
          // What it has received before it was cut off, it would still be given.
          if (client !== this.#client) return;
          assert.ok(data, JSON.stringify(errors));
          this.ids.push(data.events.id);
          this.#last = data.events.cursor;
        },
        error: (error) => assert.fail(String(error)),
        complete: () => {},
      },
    );
    return client;
  }
}
