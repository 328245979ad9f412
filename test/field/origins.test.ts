import assert from 'node:assert/strict';
import { testBoth } from '../support/app.ts';
import { FORM_TYPE, makeForm } from '../support/files.ts';
import { makeDoors, makeSender } from './doors.ts';

/** Where clients in browsers and editors ask from, by who was seen to. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  'MCP Inspector': ['Origin: http://localhost:6274', 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: cors'],
  'VS Code': ['Origin: vscode-webview://1k8g3v0s3e8v4q8r', 'Sec-Fetch-Site: cross-site'],
  Tauri: ['Origin: tauri://localhost'],
  'an extension of Chrome': ['Origin: chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn', 'Sec-Fetch-Site: none'],
  'a page in a sandboxed frame, or from a file': ['Origin: null', 'Sec-Fetch-Site: cross-site'],
  'a page of the same site': ['Origin: https://www.board.test', 'Sec-Fetch-Site: same-site'],
};

testBoth('a request with a key is served whatever its origin, which may read all answers to it', async (app) => {
  const { GraphQL, MCP, REST } = await makeDoors(app);
  assert.ok(GraphQL && MCP && REST);
  const { exchange } = await makeSender(app);
  const asAda = GraphQL.headers;
  const JSON_TYPE = 'Content-Type: application/json';
  const list = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  const file = makeForm([{ filename: 'a.txt', bytes: 'a' }]);
  const requests: [line: string, key: readonly string[], more: readonly string[], body?: Buffer][] = [
    [`POST ${GraphQL.path}`, asAda, [JSON_TYPE], Buffer.from('{"query":"{ board { name } }"}')],
    [`GET ${GraphQL.path}?query=%7Bboard%7Bname%7D%7D`, asAda, []],
    [`POST ${MCP.path}`, MCP.headers, [JSON_TYPE], list],
    [`GET ${REST.path}`, REST.headers, []],
    ['POST /api/v1/files', asAda, [`Content-Type: ${FORM_TYPE}`], file],
    ['GET /api/csv', asAda, []],
    ['GET /api/board.csv', asAda, []],
    ['GET /api/jsonl', asAda, []],
  ];
  for (const [line, key, more, body] of requests) {
    const [method = '', path = ''] = line.split(' ');
    for (const [client, origin] of Object.entries(elsewhere)) {
      const asking = [
        ...origin,
        `Access-Control-Request-Method: ${method}`,
        'Access-Control-Request-Headers: apikey,x-own',
      ];
      const preflight = await exchange(`OPTIONS ${path}`, asking);
      assert.equal(preflight.status, 204, `${line}, ${client}`);
      assert.ok(preflight.headers.get('access-control-allow-methods')?.split(', ').includes(method), line);
      assert.equal(preflight.headers.get('access-control-allow-headers'), 'apikey,x-own', line);
      assert.equal(preflight.headers.get('access-control-allow-credentials'), undefined, line);
      const known = await exchange(line, [...origin, ...key, ...more], body);
      assert.ok(known.status === 200 || known.status === 201, `${line}, ${client}: ${known.status} ${known.body}`);
      const anonymous = await exchange(line, [...origin, ...more], body);
      assert.equal(anonymous.status, 401, `${line}, ${client}`);
      assert.equal(anonymous.json().code, 'UNAUTHENTICATED', line);
      for (const { headers } of [preflight, known, anonymous]) {
        assert.equal(headers.get('access-control-allow-origin'), '*', `${line}, ${client}`);
        if (headers === preflight.headers) continue;
        assert.match(headers.get('access-control-expose-headers') ?? '', /Retry-After.*X-Request-Id/, line);
        assert.equal(headers.get('cache-control'), 'no-store', line);
      }
    }
  }
  const stream = await app.app.inject({
    method: 'OPTIONS',
    url: '/api/v1/events',
    headers: { origin: 'http://a.example' },
  });
  assert.equal(stream.headers['access-control-allow-origin'], '*');
  const noMore = await exchange(`GET ${MCP.path}`, [...MCP.headers, 'Origin: http://localhost:6274']);
  assert.deepEqual([noMore.status, noMore.headers.get('access-control-allow-origin')], [405, '*']);
});
