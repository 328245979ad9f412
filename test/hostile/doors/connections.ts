import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Attack, Door } from '../attack.ts';
import type { Target } from '../target.ts';
import { type Answer, encode, exchange } from '../wire.ts';

/** Bytes that are no request, or more than one, by what is odd about them. */
const bytes: Readonly<Record<string, string | Buffer>> = {
  'nothing but line ends': '\r\n'.repeat(10_000),
  'no protocol': 'GET /\r\n\r\n',
  'an old protocol': 'GET / HTTP/1.0\r\n\r\n',
  'a new protocol': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an unknown protocol': 'GET / HTTP/9.9\r\n\r\n',
  'the beginning of TLS': Buffer.from('16030100050100000100', 'hex'),
  zeros: Buffer.alloc(100_000),
  'a method without an end': 'A'.repeat(200_000),
  'an address without an end': `GET /${'a'.repeat(200_000)}`,
  'a header without a colon': 'GET / HTTP/1.1\r\nhost: a\r\nx\r\n\r\n',
  'a header that is folded': 'GET / HTTP/1.1\r\nhost: a\r\nx: a\r\n b\r\n\r\n',
  'no host': 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n',
  'two lengths': 'POST /sign-in HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  'a length below zero': 'POST /sign-in HTTP/1.1\r\nhost: a\r\ncontent-length: -1\r\n\r\n',
  'a length beyond all numbers': `POST /sign-in HTTP/1.1\r\nhost: a\r\ncontent-length: ${'9'.repeat(40)}\r\n\r\n`,
  'a length and chunks':
    'POST /sign-in HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
  'chunks of odd lengths': 'POST /sign-in HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n-1\r\nab\r\n',
  'chunks of large lengths':
    'POST /sign-in HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nffffffffffffffff\r\nab\r\n',
  'chunks with extensions': `POST /sign-in HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n1;${'a=b;'.repeat(20_000)}\r\na\r\n0\r\n\r\n`,
  trailers: `POST /sign-in HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'x: y\r\n'.repeat(5_000)}\r\n`,
  'another encoding': 'POST /sign-in HTTP/1.1\r\nhost: a\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  'chunks of one byte': `POST /sign-in HTTP/1.1\r\nhost: a\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(150_000)}0\r\n\r\n`,
};

const CONNECTIONS = 150;
const SLOW_MS = 1_500;
const HALF_BODY =
  'POST /b/x HTTP/1.1\r\nhost: board.test\r\ncontent-type: application/x-www-form-urlencoded\r\ncontent-length: 900000\r\n\r\n';

/** Connections that are slow, broken off or shared, and bytes that are no requests. */
export const connectionDoor: Door = {
  name: 'connections',
  attacks: [
    ...Object.entries(bytes).map(
      ([name, sent]): Attack => ({
        name: `connections: ${name}`,
        // Half a request gets no answer; the attack does not wait for one.
        carryOut: async ({ port }) => [await exchange(port, Buffer.from(sent), 1_000).then(withoutProblem)],
      }),
    ),
    attack('many requests on one connection', async ({ port, boardPath }) => {
      const paths = ['/healthz', boardPath, '/sign-in', '/nothing', '//x'];
      const requests = Array.from({ length: 15 }, (_, n) =>
        encode(port, { path: paths[n % 5] ?? '/', headers: { connection: 'keep-alive' } }),
      );
      return [await exchange(port, Buffer.concat([...requests, encode(port, { path: '/healthz' })]))];
    }),
    attack('thousands of requests in a packet', async ({ port, boardPath }) => {
      const request = encode(port, { path: boardPath, headers: { connection: 'keep-alive' } });
      const all = Buffer.concat(Array(2_000).fill(request));
      return Promise.all(Array.from({ length: 10 }, () => exchange(port, all)));
    }),
    attack('requests that are not read', async ({ port, hostilePath }) => {
      const request = encode(port, { path: hostilePath, headers: { connection: 'keep-alive' } });
      const sockets = open(port, 20, (socket) => socket.pause().write(Buffer.concat(Array(5).fill(request))));
      await delay(SLOW_MS);
      for (const socket of sockets) socket.destroy();
      return [];
    }),
    attack('bodies that break off', async ({ port }) => {
      const sockets = open(port, CONNECTIONS, (socket) => socket.write(`${HALF_BODY}${'a=b&'.repeat(20_000)}`));
      await delay(SLOW_MS / 3);
      for (const socket of sockets) socket.destroy();
      return [];
    }),
    attack('uploads that break off', async ({ port, apiHeaders }) => {
      const lines = Object.entries({ ...apiHeaders, 'content-type': 'multipart/form-data; boundary=x' });
      const head = `POST /api/v1/files HTTP/1.1\r\nhost: a\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}`;
      const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
      const sent = `${head}content-length: 9000000\r\n\r\n${part}${'a'.repeat(100_000)}`;
      const sockets = open(port, 40, (socket) => socket.write(sent));
      await delay(SLOW_MS / 3);
      for (const socket of sockets) socket.resetAndDestroy();
      return [];
    }),
    attack('answers that no client waits for', async ({ port, hostilePath }) => {
      const request = encode(port, { path: hostilePath });
      for (let n = 0; n < 10; n++) {
        const sockets = open(port, 4, (socket) => socket.write(request));
        await delay(20);
        for (const socket of sockets) socket.resetAndDestroy();
      }
      return [];
    }),
    attack('requests a byte at a time', async ({ port }) => {
      const sockets = open(port, CONNECTIONS, (socket) => socket.write('GET /healthz HTTP/1.1\r\nx'));
      for (let waited = 0; waited < SLOW_MS; waited += 100) {
        await delay(100);
        for (const socket of sockets) socket.write('x');
      }
      for (const socket of sockets) socket.destroy();
      return [];
    }),
    attack('connections that say nothing', async ({ port }) => {
      const sockets = open(port, CONNECTIONS, () => {});
      await delay(SLOW_MS);
      for (const socket of sockets) socket.destroy();
      return [];
    }),
    attack('bodies without an end behind an expectation', async ({ port }) => {
      const sockets = open(port, 30, (socket) =>
        socket.write(HALF_BODY.replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n')),
      );
      await delay(SLOW_MS / 3);
      for (const socket of sockets) socket.end();
      await delay(SLOW_MS / 3);
      for (const socket of sockets) socket.destroy();
      return [];
    }),
  ],
};

function attack(name: string, carryOut: (target: Target) => Promise<readonly Answer[]>): Attack {
  return { name: `connections: ${name}`, carryOut };
}

function open(port: number, count: number, connected: (socket: Socket) => void): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    // The server closes what takes too long, which is its right.
    socket.on('error', () => {}).on('connect', () => connected(socket));
    return socket;
  });
}

function withoutProblem(answer: Answer): Answer {
  return { ...answer, problem: null };
}
