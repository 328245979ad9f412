import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Attack, addressOf, type Door } from '../attack.ts';
import { apiRequest, type Target } from '../target.ts';
import { hostileTexts } from '../texts.ts';
import { type Answer, encode, exchange, type HostileRequest } from '../wire.ts';

const PATH = '/api/v1/events';
const STREAM = { accept: 'text/event-stream' };
const EVENTS = 'subscription($after: String, $types: [String!]) { events(after: $after, types: $types) { cursor } }';
/** What is sent for as long without a pause is enough of a stream. */
const QUIET_MS = 150;

const cursorOf = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url');

const cursors: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(hostileTexts).map(([name, make]) => [name, make(3_000)])),
  'a place beyond the end': cursorOf('events', Number.MAX_SAFE_INTEGER, ''),
  'a place beyond all numbers': cursorOf('events', 1e300, '1'),
  'a place below zero': cursorOf('events', -1, '-1'),
  'an hour beyond all dates': cursorOf('events', 0, '99999999'),
  'a prototype': cursorOf('__proto__', { toString: 1 }, []),
  'lists in lists': Buffer.from('['.repeat(5_000)).toString('base64url'),
  'the end': 'end',
  'almost the end': 'END',
};

/** Requests for streams that are odd, by what is odd about them. */
const requests: Readonly<Record<string, (target: Target) => readonly HostileRequest[]>> = {
  ...Object.fromEntries(
    Object.entries(cursors).map(([name, cursor]) => [
      `a cursor: ${name}`,
      ({ apiHeaders }: Target) => [
        { path: `${PATH}?after=${encodeURIComponent(cursor.toWellFormed())}`, headers: apiHeaders },
        // A header has bytes, and no line ends.
        {
          path: PATH,
          headers: { ...apiHeaders, ...STREAM, 'last-event-id': cursor.replace(/[^\x20-\x7e]/g, '%').slice(0, 9_000) },
        },
        apiRequest({ ...apiHeaders, ...STREAM }, EVENTS, { after: cursor }),
      ],
    ]),
  ),
  types: ({ apiHeaders }) => [
    { path: `${PATH}?types=${'post.created,'.repeat(1_000)}`, headers: apiHeaders },
    { path: `${PATH}?types=${','.repeat(999)}`, headers: apiHeaders },
    { path: `${PATH}?types=__proto__&types=constructor`, headers: apiHeaders },
    { path: `${PATH}?${'types=a&'.repeat(1_500)}`, headers: apiHeaders },
    apiRequest({ ...apiHeaders, ...STREAM }, EVENTS, { types: Array(9_000).fill('post.created') }),
    apiRequest({ ...apiHeaders, ...STREAM }, EVENTS, { types: ['\u0000', '__proto__'] }),
  ],
  headers: ({ apiHeaders }) => [
    { path: PATH, headers: { ...apiHeaders, 'last-event-id': 'a'.repeat(15_000) } },
    { path: PATH, headers: { ...apiHeaders, 'last-event-id': ['end', 'x'] } },
    { path: PATH, headers: { ...apiHeaders, accept: `text/event-stream${' '.repeat(14_000)}x` } },
    { path: PATH, headers: { ...apiHeaders, accept: 'text/event-stream;q=0,'.repeat(600) } },
    {
      path: PATH,
      headers: { ...apiHeaders, ...Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-${n}`, 'a'])) },
    },
    { path: PATH, headers: { ...apiHeaders, ssoid: 'e\u0301\u0323'.repeat(1_000) } },
    { path: PATH, headers: { ...STREAM, apikey: `esk_${'a'.repeat(12_000)}` } },
    apiRequest({ ...apiHeaders, accept: 'application/json, text/event-stream;'.repeat(300) }, EVENTS),
  ],
  methods: ({ apiHeaders }) => [
    ...['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((method) => ({
      method,
      path: PATH,
      headers: apiHeaders,
    })),
    ...['HEAD', 'PUT', 'DELETE'].map((method) => ({
      method,
      path: `/api/v1/graphql?query=${encodeURIComponent(EVENTS)}`,
      headers: { ...apiHeaders, ...STREAM },
    })),
  ],
  bodies: ({ apiHeaders }) => [
    { path: PATH, headers: apiHeaders, body: '{"after":'.repeat(50_000) },
    { method: 'GET', path: PATH, headers: apiHeaders, body: 'x'.repeat(500_000) },
    { path: '/api/v1/graphql', headers: { ...apiHeaders, ...STREAM }, body: '['.repeat(400_000) },
    {
      path: '/api/v1/graphql',
      headers: { ...apiHeaders, ...STREAM },
      body: '{"query":"subscription{events{id}}","variables":[]}',
    },
    { path: '/api/v1/graphql', headers: { ...apiHeaders, ...STREAM, 'content-type': 'text/plain' }, body: EVENTS },
    {
      path: '/api/v1/graphql',
      headers: { ...apiHeaders, ...STREAM, 'idempotency-key': 'k', 'dry-run': 'true' },
      body: JSON.stringify({ query: EVENTS }),
    },
  ],
  'subscriptions that are too much': ({ apiHeaders }) =>
    [
      'subscription { events { data post { comments(limit: 100) { nodes { text author { name } } } } } }',
      'subscription { events { ...A } } fragment A on Event { post { events { nodes { post { title } } } } data }',
      `subscription { ${Array.from({ length: 300 }, (_, n) => `a${n}: events { data }`).join(' ')} }`,
      `subscription { events { ${Array.from({ length: 200 }, (_, n) => `a${n}: type`).join(' ')} } }`,
      'subscription { events { __typename } __schema { types { name } } }',
      'subscription A { events { id } } subscription B { events { id } }',
      `subscription { events { ${'post { events { nodes { '.repeat(60)} id ${'} } }'.repeat(60)} } }`,
    ].map((query) => apiRequest({ ...apiHeaders, ...STREAM }, query)),
};

/** More than one board may have (`MAX_OF_BOARD` in `src/api/stream/followers.ts`). */
const CROWD = 1_400;
const HANG_UPS = 150;

/** Streams of events and subscriptions: odd requests, crowds, and clients that hang up or do not read. */
export const streamDoor: Door = {
  name: 'streams',
  attacks: [
    ...Object.entries(requests).map(
      ([name, make]): Attack => ({
        name: `streams: ${name}`,
        async carryOut(target, random) {
          const answers: Answer[] = [];
          for (const request of make(target)) {
            const headers = { 'x-forwarded-for': addressOf(random), ...request.headers };
            answers.push(await exchange(target.port, encode(target.port, { ...request, headers }), QUIET_MS));
          }
          return answers.map((answer) => ({ ...answer, problem: null }));
        },
      }),
    ),
    attack('connections: streams that are hung up', async (target) => {
      for (const request of bothOf(target)) {
        for (let n = 0; n < 3; n++) {
          const sockets = open(target.port, HANG_UPS, (socket) => socket.write(request));
          await delay(15 * n);
          for (const socket of sockets) socket.resetAndDestroy();
        }
      }
    }),
    attack('connections: streams that are not read', async (target) => {
      const sockets = bothOf(target).flatMap((request) =>
        open(target.port, 40, (socket) => socket.pause().write(request)),
      );
      await delay(500);
      for (const socket of sockets) socket.destroy();
    }),
    attack('connections: more streams than a key may have', async (target) => {
      const [plain, subscription] = bothOf(target);
      const sockets = open(target.port, CROWD, (socket) => socket.write(Math.random() < 0.5 ? plain : subscription));
      await delay(1_500);
      for (const socket of sockets) socket.destroy();
    }),
  ],
};

/** Requests for a stream and for a subscription. */
function bothOf({ port, apiHeaders }: Target): [plain: Buffer, subscription: Buffer] {
  const query = 'subscription { events { type data post { title comments { nodes { text } } } } }';
  return [
    encode(port, { path: PATH, headers: apiHeaders }),
    encode(port, apiRequest({ ...apiHeaders, ...STREAM }, query)),
  ];
}

function attack(name: string, carryOut: (target: Target) => Promise<void>): Attack {
  return {
    name,
    async carryOut(target) {
      await carryOut(target);
      return [];
    },
  };
}

function open(port: number, count: number, connected: (socket: Socket) => void): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    // The server closes what is too much, which is its right.
    socket.on('error', () => {}).on('connect', () => connected(socket));
    return socket;
  });
}
