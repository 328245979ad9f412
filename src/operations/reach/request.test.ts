import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAddressReader } from '../../platform/http/address.ts';
import { judgeRequest } from './request.ts';
import { readSeen, type Seen } from './seen.ts';

const BASE_URL = 'https://ideas.example.com:8443';

/** What comes from a browser through a proxy that does all that it must. */
const healthy = {
  host: 'ideas.example.com:8443',
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  referer: `${BASE_URL}/b/acme`,
  'sec-fetch-site': 'same-origin',
  'accept-encoding': 'gzip, deflate, br, zstd',
};

type Way = {
  baseUrl?: string;
  trustProxy?: number | string[];
  socket?: string;
  /** Headers that differ from the healthy ones; undefined is missing. */
  headers?: Record<string, string | undefined>;
};

function judge({ baseUrl = BASE_URL, trustProxy = ['127.0.0.1'], socket = '127.0.0.1', headers = {} }: Way) {
  const request = { headers: { ...healthy, ...headers }, socket: { remoteAddress: socket } };
  const address = makeAddressReader(trustProxy)(
    request as unknown as Parameters<ReturnType<typeof makeAddressReader>>[0],
  );
  return judgeRequest(readSeen({ ...request, address }), { baseUrl, trustProxy, domains: ['feedback.customer.test'] });
}

/** The lines to change, and `?` for what cannot be told. */
function changesOf(way: Way): Record<string, string | null> {
  const others = judge(way).filter(({ isRight }) => isRight !== true);
  return Object.fromEntries(
    others.map(({ check, isRight, change }) => [check, isRight === null ? '?' : (change?.line ?? null)]),
  );
}

const forwardedFor = 'proxy_set_header X-Forwarded-For $remote_addr;';
const host = 'proxy_set_header Host $http_host;';
const scheme = 'proxy_set_header X-Forwarded-Proto https;';

/** Ways that requests come, as proxies were seen to pass them on, and all that has to change. */
const ways: readonly (readonly [name: string, way: Way, changes: Record<string, string | null>])[] = [
  ['everything is right', {}, {}],
  ['a navigation from elsewhere', { headers: { referer: undefined, 'sec-fetch-site': 'none' } }, {}],
  ['from another site', { headers: { referer: 'https://search.example/', 'sec-fetch-site': 'cross-site' } }, {}],
  ['a chain of proxies', { headers: { 'x-forwarded-proto': 'https, http' } }, {}],
  ['a custom domain', { headers: { host: 'feedback.customer.test', referer: 'https://feedback.customer.test/' } }, {}],
  [
    'the port of https is written',
    { baseUrl: 'https://ideas.example.com', headers: { host: 'ideas.example.com:443', referer: undefined } },
    {},
  ],
  [
    'plain http without a proxy',
    {
      baseUrl: 'http://10.0.0.5:4000',
      trustProxy: 0,
      socket: '10.0.0.9',
      headers: {
        host: '10.0.0.5:4000',
        'x-forwarded-for': undefined,
        'x-forwarded-proto': undefined,
        referer: undefined,
        'sec-fetch-site': undefined,
      },
    },
    {},
  ],
  [
    'while developing',
    {
      baseUrl: 'http://localhost:4000',
      trustProxy: 0,
      headers: {
        host: 'localhost:4000',
        'x-forwarded-for': undefined,
        'x-forwarded-proto': undefined,
        referer: undefined,
      },
    },
    {},
  ],
  ['a proxy that is not trusted', { trustProxy: 0 }, { address: 'TRUST_PROXY=127.0.0.1' }],
  ['one in a network of containers', { trustProxy: 0, socket: '172.18.0.3' }, { address: 'TRUST_PROXY=172.16.0.0/12' }],
  [
    'one whose network has the visitor',
    { trustProxy: 0, socket: '10.0.0.2', headers: { 'x-forwarded-for': '10.0.0.77' } },
    { address: 'TRUST_PROXY=10.0.0.2' },
  ],
  [
    'two in a row',
    { trustProxy: 0, headers: { 'x-forwarded-for': '203.0.113.7, 10.1.2.3' } },
    { address: 'TRUST_PROXY=127.0.0.1,10.0.0.0/8' },
  ],
  [
    'only the first of two is trusted',
    { headers: { 'x-forwarded-for': '203.0.113.7, 10.1.2.3:5000' } },
    { address: 'TRUST_PROXY=127.0.0.1,10.0.0.0/8' },
  ],
  [
    'one proxy is counted of two',
    { trustProxy: 1, headers: { 'x-forwarded-for': '203.0.113.7, 10.1.2.3' } },
    { address: 'TRUST_PROXY=2' },
  ],
  ['three are counted of one', { trustProxy: 3 }, { address: 'TRUST_PROXY=1' }],
  ['another one is trusted', { socket: '192.0.2.9' }, { address: 'TRUST_PROXY=127.0.0.1,192.0.2.9' }],
  ['no address is passed on', { headers: { 'x-forwarded-for': undefined } }, { address: forwardedFor }],
  [
    'nothing at all is passed on',
    { headers: { 'x-forwarded-for': undefined, 'x-forwarded-proto': undefined, host: '127.0.0.1:4000' } },
    { address: forwardedFor, scheme, host },
  ],
  [
    'the address is in another header',
    { headers: { 'x-forwarded-for': undefined, forwarded: 'for=203.0.113.7' } },
    { address: forwardedFor },
  ],
  ['there is no address', { headers: { 'x-forwarded-for': 'unknown' } }, { address: forwardedFor }],
  [
    'trusted without a proxy',
    {
      baseUrl: 'http://10.0.0.5:4000',
      trustProxy: 1,
      socket: '10.0.0.9',
      headers: {
        host: '10.0.0.5:4000',
        'x-forwarded-for': undefined,
        'x-forwarded-proto': undefined,
        referer: undefined,
        'sec-fetch-site': undefined,
      },
    },
    { address: 'TRUST_PROXY=0' },
  ],
  [
    'a visitor in the same network, or one who is hidden',
    { headers: { 'x-forwarded-for': '172.17.0.1' } },
    { address: '?' },
  ],
  ['no scheme', { headers: { 'x-forwarded-proto': undefined } }, { scheme }],
  ['http from an inner proxy', { headers: { 'x-forwarded-proto': 'http' } }, { scheme }],
  ['the port is lost', { headers: { host: 'ideas.example.com' } }, { host }],
  [
    'the same without a page before',
    { headers: { host: 'ideas.example.com', referer: undefined, 'sec-fetch-site': 'none' } },
    { host, origin: '?' },
  ],
  ["the upstream's own host", { headers: { host: '127.0.0.1:4000' } }, { host }],
  [
    'the same, for a custom domain',
    { headers: { host: 'app:4000', referer: 'https://feedback.customer.test/' } },
    { host },
  ],
  ['BASE_URL begins with http', { baseUrl: 'http://ideas.example.com:8443' }, { scheme: `BASE_URL=${BASE_URL}` }],
  ['BASE_URL has another port', { baseUrl: 'https://ideas.example.com' }, { origin: `BASE_URL=${BASE_URL}` }],
  ['BASE_URL is another host', { baseUrl: 'https://feedback.example.com' }, { origin: `BASE_URL=${BASE_URL}` }],
  [
    'a browser uses http',
    { headers: { 'x-forwarded-proto': 'http', referer: undefined, 'sec-fetch-site': undefined } },
    { scheme: 'return 308 https://$host$request_uri;' },
  ],
  [
    'http is spoken at the port of https',
    {
      baseUrl: 'https://ideas.example.com',
      headers: {
        host: 'ideas.example.com:443',
        referer: 'http://ideas.example.com:443/b/acme',
        'x-forwarded-proto': 'http',
        'sec-fetch-site': undefined,
      },
    },
    { scheme: 'return 308 https://$host$request_uri;' },
  ],
  [
    'compression is not passed on: the proxy may compress pages itself',
    { headers: { 'accept-encoding': undefined } },
    { compression: '?' },
  ],
  [
    'past the proxy',
    {
      headers: {
        host: '127.0.0.1:4000',
        'x-forwarded-for': undefined,
        'x-forwarded-proto': undefined,
        referer: undefined,
        'sec-fetch-site': 'none',
      },
    },
    { origin: '?' },
  ],
];

for (const [name, way, changes] of ways) {
  test(`what to change is named, and only that: ${name}`, () => {
    assert.deepEqual(changesOf(way), changes);
  });
}

test('values from a request are shown short and printable', () => {
  const seen: Seen = readSeen({ headers: { host: `x\u0007é${'h'.repeat(5_000)}` }, socket: {}, address: 'unknown' });
  assert.match(seen.host ?? '', /^x éh{996}…$/);
  const texts = judge({ headers: { host: '<script>\u202e'.repeat(100) } }).map(({ seen: shown }) => shown.text);
  for (const text of texts) assert.match(text, /^[\x20-\x7e]{1,99}…?$/);
});
