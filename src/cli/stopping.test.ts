import assert from 'node:assert/strict';
import { Agent, request } from 'node:http';
import { test } from 'node:test';
import { makeTestApp } from '../../test/support/app.ts';
import { onEnd } from '../../test/support/cleanup.ts';
import { engines } from '../../test/support/store.ts';
import { makeLog } from '../platform/lib/log.ts';
import { makeStop } from './stopping.ts';

for (const engine of engines) {
  test(`connections that wait to be taken when the server stops are answered [${engine}]`, async (t) => {
    const { app } = await makeTestApp(t, engine);
    const stop = makeStop(app, makeLog('silent'));
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const agent = new Agent({ keepAlive: true });
    onEnd(t, () => agent.destroy());
    // All of them are connected before the server, in this same process, has come to take one.
    const statuses = Array.from({ length: 100 }, () => statusOf(`${url}/healthz`, agent));
    const stopped = stop(0);
    assert.deepEqual(new Set(await Promise.all(statuses)), new Set([200]));
    await stopped;
    await assert.rejects(statusOf(`${url}/healthz`, agent), /ECONNREFUSED/);
  });
}

function statusOf(url: string, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent }, (response) => resolve(response.resume().statusCode));
    asking.once('error', reject);
    asking.end();
  });
}
