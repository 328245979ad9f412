import { json } from 'node:stream/consumers';
import autocannon from 'autocannon';
import type { Load, Measured } from '../load.ts';

/** Sends requests as the JSON on standard input says, and prints what came of it. */
const load = (await json(process.stdin)) as Load;
let refused = '';

const result = await autocannon({
  url: load.url,
  method: load.bodies.length > 0 ? 'POST' : 'GET',
  connections: load.connections,
  duration: load.seconds,
  headers: load.headers,
  ...(load.perSecond && { overallRate: load.perSecond }),
  ...(load.bodies.length > 0 && {
    headers: { 'content-type': 'application/json', ...load.headers },
    requests: load.bodies.map((body) => ({ body })),
    verifyBody: isGood as never,
  }),
});

const measured: Measured = {
  requests: result['2xx'],
  seconds: result.duration,
  p50Ms: result.latency.p50,
  p99Ms: result.latency.p99,
  failures: result.non2xx + result.errors + result.timeouts + result.mismatches,
  refused,
};
console.log(JSON.stringify(measured));

/** Whether an answer has data and no errors, by its two ends: the generator has no time to parse it. */
function isGood(body: string): boolean {
  if (body.startsWith('{"data":{"') && body.slice(-4).trimEnd().endsWith('}}')) return true;
  refused ||= body.slice(0, 500);
  return false;
}
