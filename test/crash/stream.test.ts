import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { EventSource } from 'eventsource';
import { type Client, createClient } from 'graphql-sse';
import { onEnd } from '../support/cleanup.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { until } from '../support/until.ts';
import { prepareBoard, withReader } from './board.ts';
import { makeClient } from './client.ts';
import { Ledger } from './ledger.ts';
import { ADMIN, startLoad } from './load.ts';
import { makeRandom } from './random.ts';
import { startServer } from './server.ts';

const KILLS = roundsOf('STREAM_KILLS', { short: 2, long: 10 });
/** How often a follower is cut off between two kills. */
const CUTS = 5;
const CLIENTS = 4;
const LONGEST_LOAD_MS = 500;
/** How long a subscriber waits before it connects again. */
const RETRY_MS = 500;

for (const engine of engines) {
  test(`followers of streams and subscriptions miss and repeat nothing through ${KILLS} kills and ${KILLS * CUTS} cuts [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const seed = Number(process.env.CRASH_SEED) || randomInt(2 ** 32);
    console.log(`${engine}: CRASH_SEED=${seed}`);
    const random = makeRandom(seed);
    const { server: first, key, statuses } = await prepareBoard(t, place, CLIENTS);
    const ledger = new Ledger();
    const steady = [new Follower(t, first.url, key), new Subscriber(t, first.url, key)];
    const cutOff = [new Follower(t, first.url, key), new Subscriber(t, first.url, key)];
    let server = first;
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = ledger.acknowledged;
      const client = makeClient(server.url, key);
      const load = startLoad({ client, ledger, random, statuses, unexpected }, CLIENTS);
      await until('a write is acknowledged', () => ledger.acknowledged > before);
      for (let cut = 0; cut < CUTS; cut++) {
        await delay((random.next() * LONGEST_LOAD_MS) / CUTS);
        for (const follower of cutOff) follower.cut();
      }
      await server.kill();
      load.stop();
      await load.ended;
      server = await startServer(t, place, { port: Number(new URL(first.url).port) });
    }
    const log = await readLog(place);
    assert.ok(log.length >= ledger.acknowledged / 2, `${log.length} events`);
    for (const follower of [...steady, ...cutOff]) {
      await until('all events have come', () => follower.ids.length >= log.length);
      assert.deepEqual(follower.ids, log);
    }
    t.diagnostic(`${log.length} events, ${ledger.acknowledged} acknowledged writes`);
    assert.equal((await server.stop()).status, 0, 'a server with followers stops');
  });
}

/** A post may be deleted by one client while another writes on it; nothing else may be refused. */
function unexpected(code: string, message: string): string | null {
  return code === 'NOT_FOUND' ? null : `${code} ${message}`;
}

async function readLog(place: StorePlace): Promise<string[]> {
  const rows = await withReader(place, (reader) => reader.selectFrom('events').select('id').orderBy('seq').execute());
  return rows.map(({ id }) => id);
}

/** Follows with a client that is not ours, which connects again by itself. */
class Follower {
  readonly ids: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #last = '';
  #source: EventSource;

  constructor(t: TestContext, origin: string, key: string) {
    this.#url = `${origin}/api/v1/events`;
    this.#headers = { apikey: key, ssotype: 'SSO', ssoid: ADMIN };
    this.#source = this.#connect();
    onEnd(t, () => this.#source.close());
  }

  /** Cuts the connection off, and goes on where it was. */
  cut(): void {
    this.#source.close();
    this.#source = this.#connect();
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
class Subscriber {
  readonly ids: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #last = '';
  #client: Client;

  constructor(t: TestContext, origin: string, key: string) {
    this.#url = `${origin}/api/v1/graphql`;
    this.#headers = { apikey: key, ssotype: 'SSO', ssoid: ADMIN };
    this.#client = this.#connect();
    onEnd(t, () => this.#client.dispose());
  }

  /** Cuts the connection off, and goes on where it was. */
  cut(): void {
    this.#client.dispose();
    this.#client = this.#connect();
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
