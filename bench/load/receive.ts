import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Arrival, Wait, Waited } from '../receiver.ts';
import { answerQuestions, instant } from '../variants/answer.ts';

/** A receiver that answers 200 at once and checks nothing; at `/hang` it never answers. It notes when requests begin. */
let arrivals: Arrival[] = [];
let waiting: { count: number; done: () => void } | null = null;

const server = createServer((request, response) => {
  const { url = '', headers } = request;
  request.resume();
  if (url === '/hang') return;
  arrivals.push([String(headers['webhook-id']), url, instant()]);
  response.end();
  if (waiting && arrivals.length >= waiting.count) waiting.done();
});
server.keepAliveTimeout = 60_000;
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

await answerQuestions(
  { port: (server.address() as AddressInfo).port },
  {
    forget() {
      arrivals = [];
    },
    wait,
    arrivals: () => arrivals,
  },
  () => server.closeAllConnections(),
);

/** Waits for so many requests since `forget`, and tells how long they took from the first on. */
async function wait({ count, limitMs }: Wait): Promise<Waited> {
  if (arrivals.length < count) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      waiting = {
        count,
        done() {
          clearTimeout(timer);
          resolve();
        },
      };
    });
    waiting = null;
  }
  const first = arrivals[0]?.[2] ?? Number.NaN;
  const last = arrivals[Math.min(count, arrivals.length) - 1]?.[2] ?? Number.NaN;
  return { count: arrivals.length, milliseconds: last - first };
}
