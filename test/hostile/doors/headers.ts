import { eachOf, makeDoor } from '../attack.ts';

/** Headers, odd ones too, by what is odd about them. */
const headers: Readonly<Record<string, Record<string, string | readonly string[]>>> = {
  'as many as there may be': Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`x-${n}`, 'a'])),
  'more than there may be': Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, 'a'])),
  'one long one': { 'x-long': 'a'.repeat(15_000) },
  'one that is too long': { 'x-long': 'a'.repeat(40_000) },
  'many cookies': { cookie: 'a=b; '.repeat(3_000) },
  'cookies without values': { cookie: ';='.repeat(6_000) },
  'odd cookies': { cookie: '__proto__=1; =; a; "=";;%=%; earshot.session=%ff; earshot_sandbox=%00' },
  'cookies of ours': {
    cookie: `better-auth.session_token=${'a.'.repeat(5_000)}; earshot.browser=${'x'.repeat(4_000)}`,
  },
  'two cookie headers': { cookie: ['a=b', 'a=c'] },
  'a jar': { 'earshot-jar': 'a=b; theme=__proto__; '.repeat(600) },
  'a jar of marks': { 'earshot-jar': 'language=\u0301; earshot.sso.x=\u0323;;;='.repeat(200) },
  'two jars': { 'earshot-jar': ['a=b', `earshot.sso.${'-'.repeat(36)}=${'x'.repeat(100)}`] },
  'a key that is long': { apikey: `esk_${'a'.repeat(12_000)}` },
  'a key of marks': { apikey: 'e\u0301'.repeat(2_000) },
  'two keys': { apikey: ['a', 'b'] },
  'a bearer of spaces': { authorization: `Bearer${' '.repeat(14_000)}x y` },
  'a user of marks': { ssoid: 'e\u0301\u0323'.repeat(1_000), ssotype: 'SSO' },
  'a user of another type': { ssotype: '__proto__', ssoid: 'constructor' },
  languages: { 'accept-language': 'de;q=0.1,'.repeat(1_500) },
  'invented languages': { 'accept-language': 'x-'.repeat(7_000) },
  'a weight without an end': { 'accept-language': `de;q=0.${'9'.repeat(14_000)}` },
  'media types': { accept: 'text/html;q=0.1,'.repeat(900) },
  encodings: { 'accept-encoding': 'gzip;q=0,br;q=1e9,'.repeat(800) },
  addresses: { 'x-forwarded-for': '1.2.3.4, '.repeat(1_500) },
  'what is no address': { 'x-forwarded-for': '%00, :::::, 999.1.1.1, [::1]:80, unknown' },
  'an address in a zone': { 'x-forwarded-for': `fe80::1%${'x'.repeat(10_000)}` },
  'another host': { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'javascript' },
  'what is no host': { host: 'x@y' },
  'a host with a path': { host: 'a/b?c#d' },
  'a host of marks': { host: 'e\u0301'.repeat(100) },
  'a long host': { host: 'a.'.repeat(5_000) },
  'a host with an odd port': { host: 'board.test:99999999' },
  'an empty host': { host: '' },
  'two hosts': { host: ['a.example', 'b.example'] },
  'an odd origin': { origin: 'null' },
  'an origin that is no address': { origin: 'http://[' },
  tags: { 'if-none-match': '"a",'.repeat(3_500) },
  'a date': { 'if-modified-since': `Sat, 30 Feb 2026 ${'0'.repeat(9_000)}` },
  'an agent': { 'user-agent': '('.repeat(15_000) },
  'an upgrade': {
    connection: 'Upgrade, close',
    upgrade: 'websocket',
    'sec-websocket-key': 'x',
    'sec-websocket-version': '13',
  },
  'an expectation': { expect: '200-ok' },
  'a range': { range: `bytes=${'0-1,'.repeat(3_500)}` },
  'a method in a header': { 'x-http-method-override': 'DELETE' },
  tracing: { traceparent: '00-zz', tracestate: 'a=b,'.repeat(3_000), baggage: '%'.repeat(5_000) },
  'request ids': { 'x-request-id': '\u001b[31m', 'request-id': 'a'.repeat(9_000) },
};

const places = [
  '/healthz',
  '/b/BOARD',
  '/embed/b/BOARD',
  '/sign-in',
  '/api/v1/graphql',
  '/api/csv',
  '/api/v1/sandbox',
  '/metrics',
];

/** Headers that are many, long or odd, at one address of each kind. */
export const headerDoor = makeDoor(
  'headers',
  eachOf(headers, (given, name) => ({
    [name]: ({ boardPath, apiHeaders }) =>
      places.map((place) => ({
        path: place.replace('/b/BOARD', boardPath),
        headers: { ...(place.startsWith('/api') && { apikey: apiHeaders.apikey ?? '' }), ...given },
      })),
  })),
);
