import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { runCommand } from '../support/process.ts';
import { readCertificate } from '../support/raw-receiver.ts';
import { install, NAME } from './examining.ts';

// What doctor advises on the way to the server: for the scheme, the address and the certificate.

test('doctor reports an https port that speaks http as a fault of the proxy, and keeps the path of BASE_URL', async (t) => {
  const installation = await install(t, 'sqlite');
  const self = `proxy_pass ${installation.server.url};`;
  const other = createServer((_, response) => response.writeHead(301, { location: 'https://www.example.com/' }).end());
  const port = await listenForHttps(t, other);
  const found = await installation.examine({ url: `http://${NAME}:${port}/feedback` });
  assert.deepEqual(found, { origin: 'BASE_URL=https://www.example.com/feedback' });
  other.removeAllListeners('request').on('request', (_, response) => response.end('Hello'));
  const secure = await installation.examine({ url: `https://${NAME}:${port}` });
  assert.deepEqual(secure, { scheme: `listen ${port} ssl;`, self });
});

test('doctor asks for the certificate of an authority of your own, and does not send internal names to a public one', async (t) => {
  const installation = await install(t, 'sqlite');
  const key = readCertificate('good');
  const cert = key + readCertificate('authority');
  const other = createTlsServer({ key, cert }, (_, response) => response.end('Hello')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onEnd(t, () => other.close());
  const { port } = other.address() as AddressInfo;
  const self = `proxy_pass ${installation.server.url};`;
  const unknown = await installation.examine({ url: `https://${NAME}:${port}`, world: { authorities: [] } });
  assert.deepEqual(unknown, { certificate: 'NODE_EXTRA_CA_CERTS=/etc/ssl/our-ca.pem', self });
  const internal = await installation.examine({ url: `https://board.internal:${port}` });
  assert.deepEqual(internal, { certificate: 'ssl_certificate /etc/ssl/board.internal/fullchain.pem;', self });
});

/** Listens on a port for https that is free. */
async function listenForHttps(t: TestContext, server: Server): Promise<number> {
  onEnd(t, () => server.close());
  for (const port of [10_443, 20_443, 30_443, 9_443]) {
    server.listen(port, '127.0.0.1');
    if (await once(server, 'listening').then(Boolean, () => false)) return port;
  }
  throw new Error('no port is free');
}

test('doctor suggests the lines for the proxy that it detected first, or for each proxy', async (t) => {
  const { env, server } = await install(t, 'sqlite', { baseUrl: (port) => `https://127.0.0.1:${port}` });
  const caddy = createServer((_, response) => response.writeHead(502, { server: 'Caddy' }).end()).listen(
    0,
    '127.0.0.1',
  );
  await once(caddy, 'listening');
  onEnd(t, () => caddy.close());
  const { port } = caddy.address() as AddressInfo;
  const met = await runCommand(['doctor', '--url', `http://127.0.0.1:${port}`], env);
  const { host } = new URL(server.url);
  assert.match(
    met.stdout,
    new RegExp(`does not reach the server\\.\n +Caddy: reverse_proxy ${host}\n +nginx: proxy_pass `),
  );
  const closed = await findFreePort();
  const none = await runCommand(['doctor', '--url', `https://127.0.0.1:${closed}`], env);
  assert.match(none.stdout, new RegExp(`\n +HAProxy: bind \\*:${closed} ssl crt /etc/haproxy/127\\.0\\.0\\.1\\.pem\n`));
});
