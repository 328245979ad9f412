import { createServer } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';
import { VERSION } from '../platform/version.ts';

// Runs as a thread of its own, because SQLite keeps the other one busy: answers at the port of the server while the
// store is upgraded. `/healthz` says that it is alive, and all else that it is not ready.

/** When to ask again, in seconds: most steps take less. */
const RETRY_AFTER = '5';

let step = '';
parentPort?.on('message', (next: string) => {
  step = next;
});

const server = createServer(({ url = '' }, response) => {
  const isHealth = /^\/healthz(\?|$)/.test(url);
  response.setHeader('content-type', 'application/json; charset=utf-8').setHeader('connection', 'close');
  if (!isHealth) response.setHeader('retry-after', RETRY_AFTER);
  response.writeHead(isHealth ? 200 : 503).end(JSON.stringify({ status: 'upgrading', version: VERSION, step }));
});
// Another process may have the port; the server itself will say so.
server.on('error', () => {});
server.listen(workerData);
