import { eachOf, makeDoor } from '../attack.ts';
import { hostileTexts, repeat } from '../texts.ts';

/** Addresses as they stand in the first line of a request, by what is odd about them; BOARD is the board's. */
const addresses: Readonly<Record<string, string>> = {
  'an absolute one': 'http://x/',
  'an absolute one of ours': 'http://board.test/sign-in',
  'an absolute one without a host': 'http://',
  'an absolute one with a name': 'http://a:b@c/',
  'another protocol': 'ftp://x/',
  'a star': '*',
  'two slashes': '//x',
  'many slashes': '/'.repeat(12_000),
  'only a question mark': '?',
  'only a fragment': '/#a',
  backslashes: '/\\\\evil.example/..\\..',
  dots: '/../../../../etc/passwd',
  'many dots': '/..'.repeat(4_000),
  'dots that are encoded': '/%2e%2e/%2e%2e/etc/passwd',
  'dots within the files of the pages': '/assets/../../../../package.json',
  'a percent sign': '/%',
  'half a percent sign': '/%f',
  'no UTF-8': '/%ff%fe',
  surrogates: '/%ed%a0%80',
  NUL: '/%00',
  'line ends': '/%0d%0aset-cookie:%20a=b',
  'a long one': `/${'a'.repeat(14_000)}`,
  'one that is too long': `/${'a'.repeat(40_000)}`,
  'a semicolon': '/b;a=b/c',
  'a board that is none': '/b/%2e%2e',
  'a board of marks': '/b/%cc%81%cc%a3',
  'a board that is a prototype': '/b/__proto__/posts/constructor',
  'a post that is no number': 'BOARD/posts/1e9',
  'a post of many digits': `BOARD/posts/${'9'.repeat(5_000)}`,
  'a post below zero': 'BOARD/posts/-1',
  'a post that is not finite': 'BOARD/posts/Infinity',
  'a post beyond what the store counts': 'BOARD/posts/9223372036854775808',
  'a picture of no number': 'BOARD/posts/1e400/picture.png',
  'a picture': `BOARD/posts/1/picture.png?v=${'a'.repeat(5_000)}`,
  'a file of a sitemap': `BOARD/sitemap/${'9'.repeat(5_000)}.xml`,
  'a file of a sitemap that is a path': 'BOARD/sitemap/%2e%2e%2f1.xml',
  'a vote for no number': 'BOARD/votes/NaN',
  'a live page of many posts': `BOARD/live?posts=${'9,'.repeat(6_000)}9`,
  'a live page of no numbers': 'BOARD/live?posts=1e9,-1,__proto__,%00',
  'a live page that is about no number': 'BOARD/live?posts=1&open=__proto__&open=1',
  'a live page of no board': '/b/%00%cc%81/live?posts=1',
  'an odd end': `BOARD/posts/1/${'%E0%A4%A'.repeat(500)}`,
  'data of a page': 'BOARD.data',
  'data of a page with odd routes': `BOARD.data?_routes=${'a,'.repeat(5_000)}`,
  'a manifest': `/__manifest?paths=${'/a,'.repeat(3_000)}&version=1`,
  'a manifest of odd paths': '/__manifest?p=%00&p=//&p=/../&version=',
  'a token': `/join/${'a.'.repeat(5_000)}`,
  'a token that is a prototype': '/join/__proto__',
  'a token of marks': `/sign-up/${encodeURIComponent('\u0301\u0323'.repeat(300))}`,
  'a token of three parts': '/sign-in/link/e30.e30.e30',
  'a token to reset': `/reset-password/${'%00'.repeat(2_000)}`,
  'a token to change': `/change-email/${'A'.repeat(12_000)}`,
  'a token of single sign-on': `BOARD/sso/${'a.'.repeat(3_900)}`,
  'a token of single sign-on, too long': `BOARD/sso/${'e30.'.repeat(2_500)}`,
  'a token of single sign-on of the host': '/sso/eyJhbGciOiJub25lIn0.eyJpZCI6MX0.',
  'a login that is brought back': `BOARD/sso/e30.e30.e30?returnUrl=${encodeURIComponent('//evil.example/'.repeat(200))}&state=%00`,
  'a provider that is a prototype': '/sign-in/with/__proto__',
  'what a provider brings back': `/sign-in/with/callback/oidc?code=${'%00'.repeat(1_000)}&state=${'a'.repeat(2_000)}`,
  'a token of mail links': `/email/${'v1.'.repeat(2_000)}`,
  'an inbox without a user': `BOARD/inbox?show=__proto__&after=${'A'.repeat(6_000)}`,
  'where to go next': '/sign-in?next=/.//evil.example',
  'where to go next, long': `/sign-in?next=${'/..'.repeat(4_000)}`,
  'where to go next, in itself': `/sign-in?next=${encodeURIComponent('/sign-in?next='.repeat(500))}`,
  'a theme': '/theme?next=//x&theme=__proto__',
  'a frame with choices': `/embedBOARD?theme=${'a'.repeat(5_000)}&language=%0d%0a&theme=__proto__`,
  'a frame of the settings': `/embedBOARD/settings?next=${'/b/'.repeat(2_000)}`,
  'a frame in a frame': `${'/embed'.repeat(2_000)}/b/x`,
  'a frame of dots': '/embed/b/%2e%2e/%2e%2e/embed/../x',
  'a frame of no UTF-8': '/embed/b/%ff%fe/posts/%',
  'where the widget leads': `/embedBOARD/elsewhere?to=${encodeURIComponent('//evil.example/'.repeat(200))}`,
  'what the widget asks for': `BOARD/widget-config.js?language=${'x-'.repeat(4_000)}`,
  files: '/files/a/b/c/d',
  'files with dots': '/files/%2e%2e/%2e%2e/%2e%2e/etc%2fpasswd',
  'files of odd ids': `/files/${encodeURIComponent('\0')}/%ff/x/y`,
  'the API': '/api/v1/unknown',
  'the API with dots': '/api/v1/../../healthz',
  'the playground': '/api/v1/playground?query=%',
  'the schema': '/api/v1/schema.graphql?a=b',
  'assets of the tools': '/api/v1/tools/assets/..%2f..%2f',
};

const parameters: Readonly<Record<string, string>> = {
  thousands: 'a=b&'.repeat(3_000),
  'thousands of one': `search=${'a&search='.repeat(1_500)}`,
  'thousands without values': '&'.repeat(12_000),
  brackets: 'a[b][c][d]=1&'.repeat(900),
  prototypes: '__proto__=1&constructor=2&toString=3&hasOwnProperty=4',
  'percent signs': `search=${'%'.repeat(10_000)}`,
  'no UTF-8': `search=${'%ff'.repeat(4_000)}`,
  'plus signs': `search=${'+'.repeat(12_000)}`,
  'a cursor': `after=${'A'.repeat(12_000)}`,
  'a cursor that is JSON': `after=${Buffer.from('[1e400,{"a":null}]').toString('base64url')}`,
  'a tag': `tag=${'a-'.repeat(6_000)}`,
  'many tags': 'tag=a&'.repeat(2_000),
  'an order': 'sort=__proto__&comments=__proto__&edit=__proto__&status=constructor',
  'what to edit': `edit=${'a'.repeat(10_000)}`,
  'what was merged': `from=${'9'.repeat(10_000)}`,
  'what is done': `done=__proto__&deleted=${'x'.repeat(10_000)}`,
};

const places = [
  'BOARD',
  'BOARD/posts/1',
  'BOARD/roadmap',
  'BOARD/similar',
  'BOARD/settings/search',
  'BOARD/moderation',
  '/sign-in',
];

/** Addresses and parameters of pages, requested by anonymous visitors and by an owner. */
export const pageDoor = makeDoor('pages', {
  ...eachOf(addresses, (address, name) => ({
    [name]: ({ boardPath, ownerHeaders }) => {
      const path = address.replace('BOARD', boardPath);
      const { cookie = '' } = ownerHeaders;
      return [{ path }, { path, method: 'HEAD' }, { path, headers: { cookie } }, { path, method: 'POST', body: '' }];
    },
  })),
  ...eachOf(parameters, (search, name) => ({
    [`parameters: ${name}`]: ({ boardPath, ownerHeaders }) =>
      places.map((place) => ({
        path: `${place.replace(/^BOARD/, boardPath)}?${search}`,
        headers: { cookie: ownerHeaders.cookie ?? '' },
      })),
  })),
  ...eachOf(hostileTexts, (make, name) => ({
    [`a search: ${name}`]: ({ boardPath }, random) =>
      [150, 1_200].flatMap((length) => {
        const text = encodeURIComponent(`${random.text()}${make(length)}`.toWellFormed()).slice(0, 15_000);
        return [`${boardPath}?search=${text}`, `${boardPath}/similar?title=${text}`].map((path) => ({ path }));
      }),
  })),
  'every method': ({ boardPath, ownerHeaders }) =>
    ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT', 'PROPFIND', 'M-SEARCH', 'NONSENSE'].flatMap(
      (method) =>
        ['/', boardPath, '*', `${boardPath}/posts/1`, '/assets/x', '/metrics', '/readyz'].map((path) => ({
          method,
          path,
          headers: ownerHeaders,
        })),
    ),
  'a page of hostile comments': ({ hostilePath, ownerHeaders }) => [
    { path: hostilePath },
    { path: hostilePath, headers: { 'accept-encoding': 'gzip' } },
    { path: `${hostilePath}?comments=newest`, headers: { cookie: ownerHeaders.cookie ?? '' } },
    { path: `${hostilePath}.data` },
  ],
  'figures that grow with their labels': () =>
    Array.from({ length: 20 }, (_, n) => ({ path: `/metrics?${repeat(`${n}`, 5_000)}` })),
});
