import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import type { Random } from './random.ts';

/** What became of one event at a receiver; moments are numbers that grow with whatever happens there. */
export type Reception = {
  /** What arrived, each time that it was not the same as before. */
  bodies: string[];
  /** The moment at which it first arrived, and at which it was first accepted. */
  arrivedAt: number;
  acceptedAt: number | null;
  /** How often it arrived after it had been accepted. */
  duplicates: number;
};

/**
 * How a receiver behaves: `moody` ones are slow now and then and refuse some events once, `slow` ones always are slow,
 * `failing` ones refuse every other time, `silent` ones never answer.
 */
export type Mood = 'moody' | 'healthy' | 'slow' | 'failing' | 'silent';

const SLOW_SHARE = 0.1;
const SLOWEST_MS = 150;
const REFUSED_SHARE = 0.01;
const SLOW_MS = 500;
const FAILED_SHARE = 0.5;

/** A receiver that keeps count of everything that arrives. */
export class CountingReceiver {
  readonly secret = 'a signing secret';
  readonly events = new Map<string, Reception>();
  readonly problems: string[] = [];
  /** Words that must not arrive any more, because they have been erased. */
  readonly erased: string[] = [];
  mood: Mood = 'moody';
  arrivals = 0;
  inFlight = 0;
  mostInFlight = 0;
  url = '';
  #moment = 0;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Answers a request, a verification or an event. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (request.method === 'GET') return void response.end(url.searchParams.get('hub.challenge'));
    if (this.mood === 'silent') return;
    this.inFlight++;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    // A sender that dies ends its attempts; the answer to one that goes on is on its way before the next can come.
    const end = once(() => this.inFlight--);
    response.once('close', end);
    const body = await readBody(request);
    // Half a request is none.
    if (body === null) return;
    const status = this.#receive(request, body);
    const wait = this.#wait();
    const send = () => {
      if (status === 200) this.#accept(String(request.headers['webhook-id']));
      end();
      response.writeHead(status).end();
    };
    if (wait > 0) setTimeout(send, wait);
    else send();
  }

  /** How often events arrived that had been accepted before, by their ids. */
  duplicates(): Map<string, number> {
    const repeated = [...this.events].filter(([, { duplicates }]) => duplicates > 0);
    return new Map(repeated.map(([id, { duplicates }]) => [id, duplicates]));
  }

  #wait(): number {
    if (this.mood === 'slow') return SLOW_MS;
    return this.mood === 'moody' && this.#random.next() < SLOW_SHARE ? this.#random.next() * SLOWEST_MS : 0;
  }

  #receive({ headers }: IncomingMessage, body: string): number {
    const id = String(headers['webhook-id']);
    const signature = `sha256=${createHmac('sha256', this.secret).update(body).digest('hex')}`;
    if (headers['x-hub-signature'] !== signature) this.problems.push(`${id} is not signed`);
    this.arrivals++;
    for (const words of this.erased) if (body.includes(words)) this.problems.push(`${id} still has “${words}”`);
    const known = this.events.get(id);
    if (!known) {
      this.events.set(id, { bodies: [body], arrivedAt: ++this.#moment, acceptedAt: null, duplicates: 0 });
      return (this.mood === 'moody' && this.#random.next() < REFUSED_SHARE) || this.#fails() ? 500 : 200;
    }
    if (known.bodies.at(-1) !== body) known.bodies.push(body);
    if (known.acceptedAt !== null) known.duplicates++;
    return this.#fails() ? 500 : 200;
  }

  #fails(): boolean {
    return this.mood === 'failing' && this.#random.next() < FAILED_SHARE;
  }

  #accept(id: string): void {
    const event = this.events.get(id);
    if (event) event.acceptedAt ??= ++this.#moment;
  }
}

/** Starts a receiver on this machine; it ends with the test. */
export async function startCountingReceiver(t: TestContext, random: Random): Promise<CountingReceiver> {
  const receiver = new CountingReceiver(random);
  const server = createServer((request, response) => receiver.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return receiver;
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  try {
    const chunks = await request.setEncoding('utf8').toArray();
    return chunks.join('');
  } catch {
    return null;
  }
}

function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
}
