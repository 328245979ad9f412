import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fastify from 'fastify';
import { readRequest } from './request.ts';

const REQUESTS = 100;
/** What each page keeps as long as it is alive: more than a request and its response. */
const ITEMS = 8_000;

test('what a page was made of is gone with the youngest garbage, also if it would have ended with its visitor', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (options: { type: 'major' | 'minor' }) => void;
  const app = fastify();
  app.get('/*', async (request, reply) => {
    const page = Array.from({ length: ITEMS }, (_, n) => n + 0.5);
    readRequest(request, reply, 'http://board.example').signal.addEventListener('abort', () => page.length);
    return '';
  });
  const ask = async () => {
    for (let n = 0; n < REQUESTS; n++) await app.inject('/');
  };
  await ask();
  collect({ type: 'major' });
  const before = process.memoryUsage().heapUsed;
  await ask();
  for (let n = 0; n < 3; n++) collect({ type: 'minor' });
  const kept = process.memoryUsage().heapUsed - before;
  assert.ok(kept < (REQUESTS * ITEMS * 8) / 2, `${kept} bytes are left of ${REQUESTS} requests`);
  await app.close();
});
