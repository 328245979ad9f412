import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { operations } from '../../src/api/webhooks/operations.ts';
import { WEBHOOKS_PATH } from '../../src/api/webhooks/route.ts';
import { sendRaw } from '../support/raw-request.ts';
import { testPages } from '../support/web.ts';

testPages(
  'addresses of the API answer 405 to methods that they do not accept, and list those that they do',
  async (web) => {
    await web.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = web.app.server.address() as AddressInfo;
    const ask = (line: string) => sendRaw(port, [line, `Host: 127.0.0.1:${port}`, 'Connection: close']);
    const known = new Map<string, Set<string>>([
      ['/api/v1/files', new Set(['POST', 'OPTIONS'])],
      ['/api/csv', new Set(['GET', 'HEAD', 'OPTIONS'])],
      ['/api/board.csv', new Set(['GET', 'HEAD', 'OPTIONS'])],
      ['/api/jsonl', new Set(['GET', 'HEAD', 'OPTIONS'])],
      ['/api/v1/events', new Set(['GET', 'OPTIONS'])],
      ['/api/v1/openapi.json', new Set(['GET', 'HEAD'])],
      ['/api/v1/schema.graphql', new Set(['GET', 'HEAD'])],
      ['/healthz', new Set(['GET', 'HEAD'])],
      ['/metrics', new Set(['GET', 'HEAD'])],
    ]);
    for (const { method, path } of operations) {
      const url = `${WEBHOOKS_PATH}${path.replaceAll(/:\w+/g, 'x')}`;
      known.set(url, (known.get(url) ?? new Set(['OPTIONS'])).add(method));
    }
    for (const [path, methods] of known) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']) {
        const { status, headers } = await ask(`${method} ${path}?x=1 HTTP/1.1`);
        const isTaken = methods.has(method);
        assert.equal(status === 405, !isTaken, `${method} ${path}: ${status}`);
        if (isTaken) continue;
        assert.deepEqual(new Set(headers.get('allow')?.split(', ')), methods, `${method} ${path}`);
        assert.match(String(headers.get('content-type')), /^application\/json/);
      }
    }
    assert.equal((await ask('PUT /api/v1/nothing HTTP/1.1')).status, 404);
    // Joined with a base URL that ends with a slash, or written in another case.
    for (const path of [
      '//api/v1/graphql',
      '///api/v1/mcp',
      '/API/v1/graphql',
      '/Api',
      '/api//v1/graphql',
      '//HEALTHZ',
    ]) {
      for (const method of ['GET', 'POST', 'PUT', 'OPTIONS']) {
        const { status, body } = await ask(`${method} ${path} HTTP/1.1`);
        const [error] = JSON.parse(body).errors;
        assert.deepEqual([status, error.extensions.code], [404, 'NOT_FOUND'], `${method} ${path}`);
        assert.match(error.message, /the GraphQL API is at POST \/api\/v1\/graphql/);
      }
    }
    assert.deepEqual(web.logged, []);
  },
);
