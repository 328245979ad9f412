import type { Change } from './finding.ts';

const PROXIES = ['nginx', 'HAProxy', 'Caddy', 'Traefik', 'Apache'] as const;

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
    // In request_body: a Caddyfile has no block on one line.
    Caddy: 'max_size 51MiB',
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
  return changeOf(lines[what]);
}

/** What leads a proxy to a server, by its origin. */
export function forwardTo(server: string): Change {
  const { host } = new URL(server);
  return changeOf({
    nginx: `proxy_pass ${server};`,
    HAProxy: `server earshot1 ${host}`,
    Caddy: `reverse_proxy ${host}`,
    Traefik: `servers: [{ url: ${server} }]`,
    Apache: `ProxyPass / ${server}/`,
  });
}

/** What makes a proxy accept connections at the port of a URL. */
export function listenAt({ protocol, hostname, port }: URL): Change {
  const isSecure = protocol === 'https:';
  const number = port || (isSecure ? '443' : '80');
  return changeOf({
    nginx: `listen ${number}${isSecure ? ' ssl' : ''};`,
    HAProxy: `bind *:${number}${isSecure ? ` ssl crt /etc/haproxy/${hostname}.pem` : ''}`,
    Caddy: `${protocol}//${hostname}:${number} {`,
    Traefik: `address: ":${number}"`,
    Apache: `Listen ${number}${isSecure ? ' https' : ''}`,
  });
}

function changeOf(forms: { readonly nginx: string; readonly [proxy: string]: string }): Change {
  return { line: forms.nginx, forms: Object.entries(forms).map(([proxy, line]) => ({ proxy, line })) };
}

/** The proxies that do by themselves what a change is for. */
export function silentProxies({ forms }: Change): string[] {
  return PROXIES.filter((proxy) => forms.every((form) => form.proxy !== proxy));
}

/** A change with the form first that is for a proxy, by what the proxy calls itself. */
export function changeFor(proxy: string, { line, forms }: Change): Change {
  const own = forms.find((form) => proxy.toLowerCase().includes(form.proxy.toLowerCase()));
  return own ? { line: own.line, forms: [own, ...forms.filter((form) => form !== own)] } : { line, forms };
}
