import type { IncomingHttpHeaders } from 'node:http';
import type { Passing, Peer } from '../support/passing.ts';

/** The entry of a client in `X-Forwarded-For`, after those of the hops before. */
const listed = ({ 'x-forwarded-for': before }: IncomingHttpHeaders, entry: string): string =>
  before ? `${before}, ${entry}` : entry;

/** As nginx writes `$host`. */
const withoutPort = (host = ''): string => host.replace(/:\d+$/, '');

/** As Azure and IIS write whom they have a connection with. */
const withPort = ({ address, port }: Peer): string => `${address.includes(':') ? `[${address}]` : address}:${port}`;

/** nginx sends its own page, and holds responses back until a buffer is full, unless told `X-Accel-Buffering: no`. */
const nginx: Passing = {
  held: { bytes: 4_096, unlessTold: true },
  limit: { bytes: 51 * 2 ** 20, status: 413, streams: false },
  errorPage(status) {
    const words = { 413: 'Request Entity Too Large', 502: 'Bad Gateway', 503: 'Service Temporarily Unavailable' }[
      status
    ];
    const title = `${status} ${words ?? 'Gateway Time-out'}`;
    const body = `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n`;
    return { type: 'text/html', body: `${body}<hr><center>nginx/1.22.1</center>\r\n</body>\r\n</html>\r\n` };
  },
};

/** Caddy answers without a page, and streams bodies: the server gets the beginning of one that is too large. */
const caddy: Passing = { limit: { bytes: 51 * 2 ** 20, status: 502, streams: true } };

/**
 * What stands between us and people: each as the software named was seen to pass requests on, from a client of
 * `https://ideas.example.test:8443`. nginx 1.22.1, Caddy 2.6.2 and HAProxy 2.6.12 are those of Debian 12; Azure and IIS
 * as their documentation and users' reports have it.
 */
export const ways = {
  'nginx as in deploy/nginx.conf': {
    ...nginx,
    headers: (sent, { address }) => ({
      ...sent,
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
    }),
  },
  // HTTP/1.0, `Connection: close`, and the host of proxy_pass; what clients claim is passed on.
  'nginx with proxy_pass alone': { ...nginx, isOld: true, headers: (sent, _, { host }) => ({ ...sent, host }) },
  'nginx with $host, which loses the port': {
    ...nginx,
    isOld: true,
    headers: (sent, { address }) => ({
      ...sent,
      host: withoutPort(sent.host),
      'x-forwarded-for': listed(sent, address),
      'x-forwarded-proto': 'https',
    }),
  },
  // It has a plain connection with the tunnel.
  'nginx behind a tunnel': {
    ...nginx,
    headers: (sent, { address }) => ({
      ...sent,
      host: withoutPort(sent.host),
      'x-forwarded-for': listed(sent, `${address}, 127.0.0.1`),
      'x-forwarded-proto': 'http',
    }),
  },
  // It believes no X-Forwarded-For unless `trusted_proxies` names its sender.
  Caddy: {
    ...caddy,
    headers: (sent, { address }) => ({
      ...sent,
      'x-forwarded-for': address,
      'x-forwarded-host': sent.host,
      'x-forwarded-proto': 'https',
      'accept-encoding': sent['accept-encoding'] ?? 'gzip',
    }),
  },
  'Caddy behind Caddy': {
    ...caddy,
    headers: (sent) => ({
      ...sent,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': sent.host,
      'x-forwarded-proto': 'http',
    }),
  },
  // Each adds a line of its own, so there are two.
  'HAProxy behind HAProxy': {
    errorPage: (status) => ({
      type: 'text/html',
      body: `<html><body><h1>${status} Service Unavailable</h1>\nNo server is available to handle this request.\n</body></html>\n`,
    }),
    headers: ({ 'x-forwarded-for': claimed, ...sent }, { address }) => ({
      ...sent,
      'x-forwarded-for': [claimed, address, '127.0.0.1'].flat().filter((entry) => entry !== undefined),
      'x-forwarded-proto': ['https', 'http'],
    }),
  },
  'Azure Application Gateway': {
    headers: (sent, client, { host }) => ({
      ...sent,
      host,
      'x-forwarded-for': listed(sent, withPort(client)),
      'x-original-host': sent.host,
      'x-forwarded-proto': 'https',
      'x-forwarded-port': '443',
    }),
  },
  // A socket for both families has such addresses of IPv4.
  'IIS with request routing': {
    held: { bytes: 2 ** 16, unlessTold: false },
    headers: (sent, { address, port }, { host }) => ({
      ...sent,
      host,
      'x-forwarded-for': listed(sent, withPort({ address: `::ffff:${address}`, port })),
      'x-arr-ssl': '2048|256',
    }),
  },
} satisfies Record<string, Passing>;

/** The name of one. */
export type WayName = keyof typeof ways;
