import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { testBoth } from '../support/app.ts';
import { startDelivering } from '../support/delivering.ts';
import { startPair } from '../support/dialler.ts';
import { type RawRequest, startReceiver } from '../support/raw-receiver.ts';
import { until } from '../support/until.ts';

/** Receivers whose answers are not quite HTTP, by where they were seen: what counts is their status line. */

const CHUNKED = 'Transfer-Encoding: chunked';
const LENGTH = 'Content-Length: 3';
const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`;

type Odd = {
  seen: string;
  head: string;
  /** Default: the content as it is. */
  bodyOf?: (content: string) => string;
  /** Whether only the end of the connection tells where the body ends. */
  isOpen?: boolean;
};

const chunksOf = (content: string) => `${content.length.toString(16)}\r\n${content}\r\n0\r\n\r\n`;

/** The content is three characters long. */
const odd: Odd[] = [
  { seen: 'NanoHTTPD, vere and WP plugins: the same length twice', head: head(LENGTH, 'Server: a', LENGTH) },
  { seen: 'gateways that join headers: the same length in a list', head: head('Content-Length: 3, 3') },
  { seen: 'filters that compress: two lengths', head: head('Content-Length: 9', LENGTH), isOpen: true },
  { seen: 'Bitbucket, Apache 2.4: chunks beside a length', head: head('Content-Length: 1', CHUNKED), bodyOf: chunksOf },
  { seen: 'the same the other way round', head: head(CHUNKED, 'Content-Length: 1'), bodyOf: chunksOf },
  { seen: 'proxies that pass on headers and decode the body: no chunks', head: head(CHUNKED, LENGTH) },
  { seen: 'the same without a length', head: head(CHUNKED), isOpen: true },
  { seen: 'chunks with line feeds', head: head(CHUNKED), bodyOf: (content) => `3 \n${content}\n0\n\n` },
  { seen: 'old HTTP/1.0 servers: identity', head: head('Transfer-Encoding: identity', LENGTH) },
  { seen: 'SMS gateways and CGI scripts: line feeds alone', head: `HTTP/1.1 200 OK\nServer: a\n${LENGTH}\n\n` },
  { seen: 'devices: a line feed after the status', head: `HTTP/1.1 200 OK\nServer: a\r\n${LENGTH}\r\n\r\n` },
  {
    seen: 'nginx, add_header with several lines: folded',
    head: head("X-Policy: default-src 'self';\n    img-src *", LENGTH),
  },
  { seen: "PHP, header('Set-Cookie : …'): a space before the colon", head: head('Set-Cookie : a=b', LENGTH) },
  { seen: 'the same of the length', head: head('Content-Length : 3') },
  { seen: 'old systems: a space in a name', head: head('First Name: Bruno', LENGTH) },
  { seen: 'scripts in Latin-1: other letters in names and values', head: head('X-Gr\xf6\xdfe: Gr\xf6\xdfe', LENGTH) },
  { seen: 'scripts that print a warning among the headers', head: head('Warning, undefined index', LENGTH) },
  { seen: 'control characters in a value', head: head('X-A: a\x01b\0c', LENGTH) },
  { seen: 'a length with a unit', head: head('Content-Length: 3 bytes'), isOpen: true },
  { seen: 'an empty length', head: head('Content-Length:'), isOpen: true },
  { seen: 'home-made servers: another version', head: `HTTP/2 200\r\n${LENGTH}\r\n\r\n` },
  { seen: 'home-made servers: two spaces in the status line', head: `HTTP/1.1  200 OK\r\n${LENGTH}\r\n\r\n` },
  { seen: 'home-made servers: small letters', head: `http/1.1 200 ok\r\n${LENGTH.toLowerCase()}\r\n\r\n` },
  { seen: 'large cookies and policies', head: head(`X-A: ${'b'.repeat(17_000)}`, LENGTH) },
  { seen: 'early hints first', head: `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head(LENGTH, LENGTH)}` },
  { seen: 'early hints that are odd themselves', head: `HTTP/1.1 103 Early Hints\nLink: </a>\n\n${head(LENGTH)}` },
];

/** Valid answers that other clients stumble over. */
const unusual: Odd[] = [
  { seen: 'no reason after the status', head: `HTTP/1.1 200\r\n${LENGTH}\r\n\r\n` },
  { seen: "Python's http.server: HTTP/1.0", head: 'HTTP/1.0 200 OK\r\nServer: BaseHTTP/0.6\r\n\r\n', isOpen: true },
];

/** How an answer arrives. */
const ways: Record<string, (socket: Socket, head: Buffer, body: Buffer) => Promise<void> | void> = {
  'at once': (socket, ...parts) => void socket.write(Buffer.concat(parts)),
  'the body later': async (socket, head, body) => {
    socket.write(head);
    await delay(10);
    socket.write(body);
  },
  'byte by byte': async (socket, ...parts) => {
    for (const byte of Buffer.concat(parts)) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
  },
};

test('an answer that is not quite HTTP is read as it was meant, and its connection is not used again', async (t) => {
  let answer = (_: Socket) => Promise.resolve();
  const pair = await startPair(t, { answer: (socket) => answer(socket.setNoDelay()) });
  const { receiver } = pair;
  for (const { seen, head, bodyOf = String, isOpen = false } of [...unusual, ...odd]) {
    for (const [way, write] of Object.entries(ways)) {
      if (way === 'byte by byte' && head.length > 1_000) continue;
      answer = async (socket) => {
        await write(socket, Buffer.from(head, 'latin1'), Buffer.from(bodyOf('xyz')));
        if (isOpen) socket.end();
      };
      for (const method of ['GET', 'POST'] as const) {
        const told = `${seen}, ${way}, ${method}`;
        const { answer, fault, timings } = await ask(pair, method);
        assert.equal(fault, undefined, told);
        assert.deepEqual([answer?.status, String(answer?.body), answer?.isCut], [200, 'xyz', false], told);
        assert.ok(timings.firstByte !== null && timings.total < 5_000, told);
      }
    }
  }
  await until('no connection is left', () => receiver.open() === 0);
  const ofUnusual = unusual.length * Object.keys(ways).length * 2;
  const connectionOf = (n: number) => receiver.requests.at(n)?.connection ?? 0;
  assert.equal(connectionOf(-1) - connectionOf(ofUnusual - 1), receiver.requests.length - ofUnusual);
});

function ask({ dial, url, post }: Awaited<ReturnType<typeof startPair>>, method: 'GET' | 'POST') {
  return method === 'GET' ? dial({ method, url, headers: {} }) : post();
}

test('malformed headers are separated as far as possible', async (t) => {
  const lines = ['Retry-After : 7', 'X-Long: a\r\n\t b', 'no header', 'X-Gr\xf6\xdfe: x', ': y', 'Content-Length: 0'];
  const text = `HTTP/1.1 503 Busy\r\n${lines.join('\r\n')}\r\n\r\n`;
  const { post } = await startPair(t, { answer: (socket) => socket.write(Buffer.from(text, 'latin1')) });
  const { answer } = await post();
  assert.equal(answer?.status, 503);
  assert.deepEqual(answer?.headers, [
    ['retry-after', '7'],
    ['x-long', 'a b'],
    ['x-größe', 'x'],
    ['content-length', '0'],
  ]);
});

test('a status line is enough to accept an event, whatever follows, but not to verify', async (t) => {
  const reset = (socket: Socket) => void delay(10).then(() => socket.resetAndDestroy());
  const cases: [what: string, text: string, after: (socket: Socket) => unknown][] = [
    ['crashed: the status line, then a reset', 'HTTP/1.1 200 OK\r\n', reset],
    ['killed: half of the headers, then the end', 'HTTP/1.1 200 OK\r\nServer: a\r\nContent-', (socket) => socket.end()],
    ['odd headers, then a reset', 'HTTP/1.1 200 OK\r\nServer : a\r\nContent-', reset],
    [
      'cookies and policies of 40 KiB',
      `HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(40_000)}\r\n${LENGTH}\r\n\r\nabc`,
      () => {},
    ],
    ['10,000 headers', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(10_000)}\r\nabc`, () => {}],
    ['a header without an end', `HTTP/1.1 200 OK\r\n${'x'.repeat(100_000)}`, () => {}],
  ];
  for (const [what, text, after] of cases) {
    const act = (socket: Socket) => socket.write(text, () => after(socket));
    const pair = await startPair(t, { answer: act });
    const { answer, fault } = await ask(pair, 'POST');
    assert.deepEqual([fault, answer?.status, answer?.isCut], [undefined, 200, true], what);
    const asked = await ask(pair, 'GET');
    assert.match(String(asked.fault?.kind), /^(connection closed|answer not understood)$/, what);
    await until('no connection is left', () => pair.receiver.open() === 0);
  }
});

test('an odd answer is read as far as any other, until the same deadline', async (t) => {
  const deadlineMs = 500;
  const odd = 'HTTP/1.1 200 OK\r\nServer : a\r\n';
  const cases: [what: string, text: string, status: number | undefined, length: number][] = [
    ['less than announced', `${odd}Content-Length: 9\r\n\r\nabc`, 200, 3],
    ['very much', `${odd}\r\n${'a'.repeat(1_000_000)}`, 200, 16_384],
    ['more than announced', `${odd}${LENGTH}\r\n\r\nabcdef`, 200, 3],
    ['chunks without an end', `${odd}${CHUNKED}\r\n\r\n3\r\nabc\r\n`, 200, 3],
    ['chunks that break off', `${odd}${CHUNKED}\r\n\r\n3\r\nabc\r\nzz\r\n`, 200, 3],
    ['headers without an end', odd, undefined, 0],
    ['hints without an end', 'HTTP/1.1 103 Early Hints\r\nLink : a\r\n\r\n'.repeat(3), undefined, 0],
  ];
  for (const [what, text, status, length] of cases) {
    const { receiver, post } = await startPair(t, { answer: (socket) => socket.write(text) }, { deadlineMs });
    const { answer, fault } = await post();
    assert.deepEqual([answer?.status, answer?.body.length ?? 0], [status, length], what);
    if (status) assert.equal(answer?.isCut, what !== 'more than announced', what);
    else assert.deepEqual(fault, { kind: 'timed out', phase: 'answer' }, what);
    await until('no connection is left', () => receiver.open() === 0);
  }
});

testBoth(
  'receivers with odd answers are verified, delivered to once and, when they refuse, believed',
  async (app, t) => {
    const { addWebhook, settled, context } = startDelivering(t, app);
    const gone: Odd = { seen: 'gone', head: `HTTP/1.1 200 OK\nServer: a\n${LENGTH}\n\n` };
    const chosen = [gone, ...odd.filter((_, n) => n % 4 === 0)];
    let posts = 0;
    for (const one of chosen) {
      const answer = (socket: Socket, { head }: RawRequest) => {
        const challenge = /hub\.challenge=([\w-]+)/.exec(head)?.[1];
        if (challenge === undefined) posts += 1;
        respond(socket, one, challenge ?? 'abc', one === gone && challenge === undefined ? '410 Gone' : '200 OK');
      };
      const { port } = await startReceiver(t, { answer });
      const webhook = await addWebhook({ url: `http://127.0.0.1:${port}/`, signingSecret: 'secret' });
      assert.equal(webhook.state, 'active', one.seen);
    }
    await app.makePost('Größe');
    await settled();
    const read = context.db.read.selectFrom('attempts').select(['outcome', 'status']).where('kind', '=', 'event');
    const attempts = await read.orderBy('outcome').execute();
    assert.deepEqual(
      attempts.map(({ outcome, status }) => [outcome, status]),
      [['answered 410', 410], ...chosen.slice(1).map(() => ['delivered', 200])],
    );
    assert.equal(posts, chosen.length);
    const disabled = context.db.read.selectFrom('webhooks').select('state').where('state', '!=', 'active');
    assert.deepEqual(await disabled.execute(), [{ state: 'disabled' }]);
  },
);

function respond(socket: Socket, { head, bodyOf = String, isOpen }: Odd, content: string, status: string): void {
  const own = head.replace('200 OK', status).replace(/(length ?: ?)3/gi, `$1${content.length}`);
  socket.write(Buffer.from(own, 'latin1'));
  socket.write(bodyOf(content));
  if (isOpen) socket.end();
}
