import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import type { TlsOptions } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { answering, OK, startPair } from '../../../test/support/dialler.ts';
import { readCertificate } from '../../../test/support/raw-receiver.ts';
import { PATIENCE_MS } from '../../../test/support/until.ts';
import type { Fault } from './exchange.ts';

const LATE = { kind: 'timed out', phase: 'answer' } as const;
const DEADLINE_MS = 300;

/** Writes the pieces again and again until the other side has had enough. */
function writeForever(socket: Socket, piece: string | Buffer, everyMs?: number): void {
  if (everyMs === undefined) {
    const fill = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', fill);
    fill();
  } else {
    const timer = setInterval(() => socket.write(piece), everyMs);
    socket.on('close', () => clearInterval(timer));
  }
}

test('silence, dripping and endless answers end at the deadline, and nothing stays behind', async (t) => {
  const scripts: [name: string, act: (socket: Socket) => void][] = [
    ['silence', () => {}],
    ['a head that drips', (socket) => writeForever(socket, 'H', 1_000)],
    ['headers that drip', (socket) => socket.write('HTTP/1.1 200 OK\r\n') && writeForever(socket, 'a: b\r\n', 20)],
    ['100 again and again', (socket) => writeForever(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 20)],
    ['103 again and again', (socket) => writeForever(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 20)],
    ['102, then silence', (socket) => socket.write('HTTP/1.1 102 Processing\r\n\r\n')],
    ['a head without its last line', (socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n')],
  ];
  await Promise.all(
    scripts.map(async ([name, act]) => {
      const { receiver, post } = await startPair(t, { answer: act }, { deadlineMs: DEADLINE_MS });
      const { fault, timings } = await post();
      assert.deepEqual(fault, LATE, name);
      assert.ok(
        timings.total >= DEADLINE_MS - 10 && timings.total < DEADLINE_MS + PATIENCE_MS,
        `${name}: ${timings.total} ms`,
      );
      await untilClosed(receiver);
    }),
  );
});

test('an answer before the deadline counts, just after it does not', async (t) => {
  const delayMs = DEADLINE_MS + 50;
  for (const [deadlineMs, isInTime] of [
    [100 * DEADLINE_MS, true],
    [DEADLINE_MS, false],
  ] as const) {
    const late = (socket: Socket) => void setTimeout(() => socket.write(OK), delayMs);
    const { post } = await startPair(t, { answer: late }, { deadlineMs });
    const { answer, fault } = await post();
    assert.deepEqual([answer?.status, fault], isInTime ? [200, undefined] : [undefined, LATE]);
  }
});

test('a malformed answer is explained', async (t) => {
  const cases: [text: string, reason: RegExp][] = [
    ['<html>hello</html>', /not HTTP\/1\.1/],
    ['SSH-2.0-OpenSSH_9.9\r\n', /not HTTP\/1\.1/],
    ['220 mail.example ESMTP\r\n', /not HTTP\/1\.1/],
    ['HTTP/x.y 200 OK\r\n\r\n', /not HTTP\/1\.1/],
    ['HTTP/1.1 abc OK\r\n\r\n', /status/],
    ['HTTP/1.1 099 OK\r\na b: c\r\n\r\n', /not valid HTTP/],
    ['HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000), /informational responses/],
    ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', /another protocol/],
  ];
  for (const [text, reason] of cases) {
    const { receiver, post } = await startPair(t, answering(text));
    const { fault } = await post();
    assert.equal(fault?.kind, 'answer not understood', JSON.stringify(text.slice(0, 60)));
    assert.match((fault as { reason: string }).reason, reason);
    await untilClosed(receiver);
  }
});

test('a connection that ends before the answer is reported as such', async (t) => {
  const scripts: ((socket: Socket) => void)[] = [
    (socket) => socket.end(),
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.end('HTTP/1.1 200 OK'),
    (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 20'),
  ];
  for (const answer of scripts) {
    const { post } = await startPair(t, { answer });
    assert.deepEqual((await post()).fault, { kind: 'connection closed' }, String(answer));
  }
  const { dial, url } = await startPair(t, { answer: (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le') });
  const asked = await dial({ method: 'GET', url, headers: {} });
  assert.deepEqual(asked.fault, { kind: 'connection closed' }, 'without its body, an answer to a GET is none');
  const { post } = await startPair(t, { connected: (socket) => socket.resetAndDestroy() });
  assert.deepEqual((await post()).fault, { kind: 'connection closed' });
});

test('an answer whose body breaks off, drips or is wrong is an answer, as far as it came', async (t) => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const cases: [act: (socket: Socket) => void, body: string][] = [
    [(socket) => socket.write(`${head}content-length: 10\r\n\r\nabc`), 'abc'],
    [(socket) => socket.end(`${head}content-length: 10\r\n\r\nabc`), 'abc'],
    [
      (socket) =>
        socket.write(`${head}content-length: 10\r\n\r\nabc`, () =>
          setTimeout(() => socket.resetAndDestroy(), DEADLINE_MS / 2),
        ),
      'abc',
    ],
    [(socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\nzz\r\n`), 'abc'],
    [(socket) => socket.write(`${head}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`), 'abc'],
    [(socket) => socket.write(`${head}\r\nabc`), 'abc'],
    [(socket) => socket.write(`${head}content-length: 99\r\n\r\n`), ''],
  ];
  await Promise.all(
    cases.map(async ([act, body]) => {
      const { receiver, post } = await startPair(t, { answer: act }, { deadlineMs: DEADLINE_MS });
      const { answer, timings } = await post();
      assert.equal(answer?.status, 200, String(act));
      assert.equal(Buffer.from(answer?.body ?? []).toString(), body, String(act));
      assert.equal(answer?.isCut, true, String(act));
      assert.ok(timings.total < DEADLINE_MS + PATIENCE_MS);
      await untilClosed(receiver);
    }),
  );
});

test('only the first of very many headers are kept', async (t) => {
  const { post } = await startPair(
    t,
    answering(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(1_000)}content-length: 2\r\n\r\nok`),
  );
  const { answer } = await post();
  assert.deepEqual([answer?.status, answer?.headers.length, answer?.body.length], [200, 200, 2]);
});

test('a body that ends with its connection is whole, and bytes after an answer are not the next answer', async (t) => {
  const closing = await startPair(t, { answer: (socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nabc') });
  const { answer } = await closing.post();
  assert.deepEqual([Buffer.from(answer?.body ?? []).toString(), answer?.isCut], ['abc', false]);

  for (const delayMs of [0, 30]) {
    const { receiver, post } = await startPair(t, {
      answer: (socket) => {
        socket.write(OK);
        setTimeout(() => socket.write('HTTP/1.1 500 Smuggled\r\ncontent-length: 0\r\n\r\n'), delayMs);
      },
    });
    assert.equal((await post()).answer?.status, 200);
    await untilClosed(receiver);
    assert.equal((await post()).answer?.status, 200, `${delayMs} ms`);
    assert.equal(receiver.requests.length, 2);
  }
});

test('16 KiB of a body are read, and neither its size nor its compression costs memory', async (t) => {
  const sized = (size: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`;
  for (const [size, isCut] of [
    [16_383, false],
    [16_384, false],
    [16_385, true],
  ] as const) {
    const { post } = await startPair(t, answering(sized(size) + 'a'.repeat(size)));
    const { answer } = await post();
    assert.deepEqual([answer?.body.length, answer?.isCut], [Math.min(size, 16_384), isCut]);
  }

  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const bombed = await startPair(
    t,
    answering(
      Buffer.concat([
        Buffer.from(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`),
        bomb,
      ]),
    ),
  );
  const { answer } = await bombed.post();
  assert.deepEqual(answer?.body, bomb.subarray(0, 16_384));

  const piece = Buffer.alloc(65_536);
  const endless = await startPair(t, {
    answer: (socket) => {
      socket.write(sized(1_000_000_000));
      writeForever(socket, piece);
    },
  });
  await endless.post();
  const before = process.memoryUsage();
  for (let n = 0; n < 30; n += 1) assert.equal((await endless.post()).answer?.isCut, true);
  const after = process.memoryUsage();
  const grown = after.external + after.arrayBuffers - before.external - before.arrayBuffers;
  assert.ok(grown < 30_000_000, `${grown} bytes more`);
  await untilClosed(endless.receiver);
});

test('a receiver that answers without reading the request is let go', async (t) => {
  const sockets: Socket[] = [];
  const { receiver, post } = await startPair(t, {
    connected: (socket) => {
      sockets.push(socket.pause());
      socket.write(OK);
    },
  });
  const { answer } = await post({ body: Buffer.alloc(20_000_000) });
  assert.equal(answer?.status, 200);
  // A client that does not read learns of the end only when it continues to read.
  for (const socket of sockets) socket.resume();
  await untilClosed(receiver);
});

test('an invalid certificate is explained', async (t) => {
  const certificate = (name: Parameters<typeof readCertificate>[0]): TlsOptions => {
    const pem = readCertificate(name);
    return { key: pem, cert: pem };
  };
  const cases: [tls: TlsOptions, fault: Fault | null][] = [
    [certificate('good'), null],
    [certificate('expired'), { kind: 'certificate not valid', reason: 'it has expired' }],
    [certificate('self-signed'), { kind: 'certificate not valid', reason: 'it is self-signed' }],
    [
      certificate('wrong-name'),
      { kind: 'certificate not valid', reason: 'it is for example.org, *.example.net, not for hooks.example.com' },
    ],
    [
      { ...certificate('good'), minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      { kind: 'tls failed', reason: 'it offers only versions of TLS older than 1.2' },
    ],
  ];
  for (const [tls, expected] of cases) {
    const { receiver, post } = await startPair(t, { ...answering(OK), tls }, { ca: readCertificate('authority') });
    const { answer, fault, timings } = await post();
    assert.deepEqual(fault ?? null, expected);
    assert.equal(answer?.status, expected ? undefined : 200);
    assert.equal(receiver.requests.length, expected ? 0 : 1);
    assert.equal(timings.tls !== null, expected === null);
  }
  const untrusted = await startPair(t, { ...answering(OK), tls: certificate('good') });
  const { fault } = await untrusted.post();
  assert.equal(fault?.kind, 'certificate not valid');
  assert.match(JSON.stringify(fault), /authority is not trusted/);
});

test('TLS connections are kept, and a certificate may be for an address', async (t) => {
  const pem = readCertificate('good');
  const asked: string[] = [];
  const SNICallback: TlsOptions['SNICallback'] = (name, callback) => {
    asked.push(name);
    callback(null);
  };
  const script = { ...answering(OK), tls: { key: pem, cert: pem, SNICallback } };
  const { receiver, post } = await startPair(t, script, { ca: readCertificate('authority') });
  assert.notEqual((await post()).timings.tls, null);
  assert.equal((await post()).timings.tls, null);
  assert.equal(receiver.connections(), 1);
  assert.equal((await post({ url: `https://127.0.0.1:${receiver.port}/` })).answer?.status, 200);
  assert.deepEqual(asked, ['hooks.example.com']);
});

test('a TLS handshake that is not finished ends at the deadline, one that is refused ends at once', async (t) => {
  const cases: [connected: (socket: Socket) => void, fault: Fault][] = [
    [() => {}, { kind: 'timed out', phase: 'tls' }],
    [(socket) => socket.end(), { kind: 'tls failed', reason: 'it aborted the handshake' }],
    [
      (socket) => socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')),
      { kind: 'tls failed', reason: 'it does not speak TLS on this port' },
    ],
  ];
  for (const [connected, expected] of cases) {
    const { receiver, post, url } = await startPair(t, { connected }, { deadlineMs: DEADLINE_MS });
    assert.deepEqual((await post({ url: url.replace('http:', 'https:') })).fault, expected);
    await untilClosed(receiver);
  }
});

/** Waits until no connection to a receiver is left; the test's own time limit ends what never does. */
async function untilClosed(receiver: { open(): number }): Promise<void> {
  while (receiver.open() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}
