import type { Change } from './finding.ts';

/** What proxies must do, each with the line that makes them. What is missing here, a proxy does by itself. */
const lines = {
  forwardedFor: {
    nginx: 'proxy_set_header X-Forwarded-For $remote_addr;',
    HAProxy: 'http-request set-header X-Forwarded-For %[src]',
    Caddy: 'header_up X-Forwarded-For {remote_host}',
    Apache: 'ProxyAddHeaders On',
  },
  scheme: {
    nginx: 'proxy_set_header X-Forwarded-Proto https;',
    HAProxy: 'http-request set-header X-Forwarded-Proto https',
    Caddy: 'header_up X-Forwarded-Proto https',
    Traefik: 'customRequestHeaders: { X-Forwarded-Proto: https }',
    Apache: 'RequestHeader set X-Forwarded-Proto https',
  },
  host: {
    nginx: 'proxy_set_header Host $http_host;',
    Caddy: 'header_up Host {hostport}',
    Traefik: 'passHostHeader: true',
    Apache: 'ProxyPreserveHost On',
  },
  encoding: {
    nginx: 'proxy_set_header Accept-Encoding $http_accept_encoding;',
    Caddy: 'header_up Accept-Encoding {header.Accept-Encoding}',
  },
  setCookie: { nginx: 'proxy_pass_header Set-Cookie;' },
  cookie: { nginx: 'proxy_set_header Cookie $http_cookie;' },
  cookieFlags: { nginx: 'proxy_cookie_flags off;' },
  cookiePath: { nginx: 'proxy_cookie_path off;', Apache: 'ProxyPassReverseCookiePath / /' },
  body: {
    nginx: 'client_max_body_size 51m;',
    Caddy: 'request_body { max_size 51MiB }',
    Traefik: 'buffering: { maxRequestBodyBytes: 53477376 }',
    Apache: 'LimitRequestBody 53477376',
  },
  stream: {
    nginx: 'proxy_buffering off;',
    Caddy: 'flush_interval -1',
    Apache: 'ProxyPass / http://127.0.0.1:4000/ flushpackets=on',
  },
  redirect: {
    nginx: 'return 308 https://$host$request_uri;',
    HAProxy: 'http-request redirect scheme https code 308 unless { ssl_fc }',
    Caddy: 'redir https://{host}{uri} 308',
    Traefik: '--entryPoints.web.http.redirections.entryPoint.to=websecure',
    Apache: 'Redirect permanent / https://ideas.example.com/',
  },
} as const satisfies Record<string, Record<string, string>>;

/** What to change in a proxy; the first form is that of nginx. */
export function inProxy(what: keyof typeof lines): Change {
  const forms = Object.entries(lines[what]).map(([proxy, line]) => ({ proxy, line }));
  return { line: lines[what].nginx, forms };
}

/** The same with the form first that is for a proxy, by what it calls itself. */
export function changeFor(proxy: string, { line, forms }: Change): Change {
  const own = forms.find((form) => proxy.toLowerCase().includes(form.proxy.toLowerCase()));
  return own ? { line: own.line, forms: [own, ...forms.filter((form) => form !== own)] } : { line, forms };
}
