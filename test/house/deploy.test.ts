import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DEFAULT_SCHEMA, load, Type } from 'js-yaml';
import { PAUSES } from '../../src/api/stream/follow.ts';
import { STOP_LIMIT_MS } from '../../src/cli/stopping.ts';
import { MAX_FILE_BYTES } from '../../src/feedback/files/files.ts';
import { IMPORT_FORM_BYTES, MAX_IMPORT_BYTES } from '../../src/operations/imports/upload.ts';
import { FORM } from '../../src/pages/form-limits.ts';
import { settings } from '../../src/platform/config.ts';
import { TIME_LIMITS } from '../../src/platform/http/server.ts';

// The files in deploy/ and what docs/self-hosting.md says of them follow the limits of the code.

const MIB = 1_048_576;
/** The largest body that any part of the server takes. */
const LARGEST = Math.max(MAX_IMPORT_BYTES + IMPORT_FORM_BYTES, MAX_FILE_BYTES + IMPORT_FORM_BYTES, FORM.received);
const LARGEST_MIB = Math.ceil(LARGEST / MIB);
/** A proxy must bear this long a silence of a server: several times what streams of events leave. */
const LEAST_SILENCE_MS = 4 * PAUSES.heartbeatMs;
/** A busy server may take this long for a health check: without another one, visitors would get 503 instead of waiting. */
const LEAST_CHECK_MS = 5_000;
/** By default a server goes on for this long once it reports at /readyz that it stops. */
const DRAIN_MS = settings.DRAIN_DELAY.parse(settings.DRAIN_DELAY.fallback) ?? 0;
const LONGEST_STOP_MS =
  STOP_LIMIT_MS + Math.max(...numbersUpTo(99).map((n) => settings.DRAIN_DELAY.parse(`${n}`) ?? 0));
/** What the server shows its metrics at. */
const METRICS = ['/metrics', '/metrics/'];

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test('deploy/nginx.conf lets the largest body through, and stays within the times of the server', () => {
  const nginx = readDirectives('deploy/nginx.conf');
  assert.equal(nginx.only('client_max_body_size'), `${LARGEST_MIB}m`);
  assert.ok(toMs(nginx.only('keepalive_timeout')) < TIME_LIMITS.keepAliveTimeout);
  assert.ok(toMs(nginx.only('proxy_read_timeout')) >= LEAST_SILENCE_MS);
  assert.deepEqual(nginx.all('proxy_buffering'), [], 'buffering is left to X-Accel-Buffering');
  assert.equal(nginx.only('gzip'), 'off');
  // A location that sets a header of its own inherits none: so each stands once, for all of them.
  const headers = nginx.all('proxy_set_header').sort();
  assert.deepEqual(headers, [
    'Connection ""',
    'Host $http_host',
    'X-Forwarded-For $remote_addr',
    'X-Forwarded-Proto $scheme',
  ]);
  assert.equal(nginx.only('proxy_http_version'), '1.1');
  for (const listen of nginx.all('listen').filter((args) => args.includes('443'))) assert.match(listen, / ssl http2$/);
  const [, hidden = ''] = /^~ (\S+)$/.exec(nginx.all('location').at(-1) ?? '') ?? [];
  for (const path of METRICS) assert.match(path, new RegExp(hidden));
  assert.equal(nginx.all('return').at(-1), '404');
  assert.match(read('deploy/nginx.conf'), /# Where https has another port .*\n +return 308 https:/);
});

test('deploy/Caddyfile limits no body, and stays within the times of the server', () => {
  const caddy = readDirectives('deploy/Caddyfile');
  // Its defaults: no limit for bodies and silence, no compression, Host kept, addresses that visitors claim replaced.
  const others = [
    'request_body',
    'read_timeout',
    'read_body',
    'encode',
    'header_up',
    'trusted_proxies',
    'flush_interval',
  ];
  for (const name of others) assert.deepEqual(caddy.all(name), [], name);
  assert.ok(toMs(caddy.only('keepalive')) < TIME_LIMITS.keepAliveTimeout);
  assert.equal(caddy.only('health_uri'), '/readyz');
  assert.ok(toMs(caddy.only('health_interval')) < DRAIN_MS);
  assert.equal(caddy.only('@internal'), `path ${METRICS.join(' ')}`);
  assert.equal(caddy.only('respond'), '@internal 404');
});

test('deploy/haproxy.cfg limits no body, and stays within the times of the server', () => {
  const haproxy = readDirectives('deploy/haproxy.cfg');
  assert.doesNotMatch(read('deploy/haproxy.cfg'), /body_size|http-buffer-request|^\s*(compression|filter) /m);
  const timeouts = new Map(
    haproxy
      .all('timeout')
      .map((line) => line.split(' '))
      .map(([name, time = '']) => [name, time]),
  );
  for (const side of ['client', 'server']) assert.ok(toMs(timeouts.get(side)) >= LEAST_SILENCE_MS, side);
  assert.ok(toMs(timeouts.get('check')) >= LEAST_CHECK_MS);
  for (const bind of haproxy.all('bind').filter((line) => line.includes(':443')))
    assert.match(bind, / alpn h2,http\/1\.1$/);
  const requests = haproxy.all('http-request');
  assert.ok(requests.includes('set-header X-Forwarded-For %[src]'));
  assert.ok(requests.includes('set-header X-Forwarded-Proto https'));
  assert.match(read('deploy/haproxy.cfg'), /# Where https has another port .*\n +http-request redirect scheme https /);
  const hidden = requests.map((line) => /^deny deny_status 404 if { path,url_dec -m reg (\S+) }$/.exec(line)?.[1]);
  const pattern = new RegExp(hidden.find((found) => found !== undefined) ?? 'none');
  for (const path of METRICS) assert.match(path, pattern);
  assert.ok(haproxy.all('option').includes('httpchk GET /readyz'));
  const [, interval, fall] = /^check inter (\w+) fall (\d) rise 1$/.exec(haproxy.only('default-server')) ?? [];
  assert.ok(toMs(interval) * Number(fall) <= DRAIN_MS);
});

test('the files for Traefik limit no body, and stay within the times of the server', () => {
  const settingsOf = load(read('deploy/traefik/traefik.yaml')) as TraefikSettings;
  const { http } = load(read('deploy/traefik/earshot.yaml')) as TraefikRoutes;
  const { websecure } = settingsOf.entryPoints;
  const { readTimeout } = websecure.transport.respondingTimeouts;
  assert.ok(toMs(readTimeout) > TIME_LIMITS.requestTimeout);
  const { dialTimeout, idleConnTimeout } = http.serversTransports.earshot.forwardingTimeouts;
  assert.ok(toMs(idleConnTimeout) < TIME_LIMITS.keepAliveTimeout);
  const { healthCheck, ...loadBalancer } = http.services.earshot.loadBalancer;
  assert.equal(healthCheck.path, '/readyz');
  assert.ok(toMs(healthCheck.interval) < DRAIN_MS);
  assert.ok(toMs(healthCheck.timeout) >= LEAST_CHECK_MS);
  const { rule } = http.routers.earshot;
  assert.equal(rule, `Host(\`ideas.example.com\`)${METRICS.map((path) => ` && !Path(\`${path}\`)`).join('')}`);
  // Its defaults: Host kept, addresses that visitors claim replaced, no compression.
  assert.deepEqual(Object.keys(loadBalancer).sort(), ['servers', 'serversTransport']);
  assert.deepEqual(Object.keys(websecure).sort(), ['address', 'transport']);
  assert.deepEqual(Object.keys(http.middlewares), ['earshot']);

  const { services } = load(read('deploy/compose.traefik.yaml'), { schema: composeSchema }) as ComposeFile;
  const { command = [] } = services.traefik ?? {};
  const { labels = {}, environment = {}, ports } = services.web ?? {};
  assert.ok(command.includes(`--entryPoints.websecure.transport.respondingTimeouts.readTimeout=${readTimeout}`));
  assert.ok(command.includes(`--serversTransport.forwardingTimeouts.dialTimeout=${dialTimeout}`));
  assert.ok(command.includes(`--serversTransport.forwardingTimeouts.idleConnTimeout=${idleConnTimeout}`));
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of compose
  assert.equal(labels['traefik.http.routers.earshot.rule'], rule.replace('ideas.example.com', '${BOARD_HOST}'));
  for (const [name, value] of Object.entries(healthCheck)) {
    assert.equal(labels[`traefik.http.services.earshot.loadbalancer.healthcheck.${name}`], value);
  }
  const { attempts, initialInterval } = http.middlewares.earshot?.retry ?? {};
  assert.equal(labels['traefik.http.middlewares.earshot.retry.attempts'], `${attempts}`);
  assert.equal(labels['traefik.http.middlewares.earshot.retry.initialinterval'], initialInterval);
  // A number is believed from everyone who reaches the port.
  assert.equal(environment.TRUST_PROXY, '1');
  assert.deepEqual(ports, []);
  assert.match(environment.BASE_URL ?? '', /^https:/);
  assert.deepEqual(services.worker?.environment, environment);
});

test('docs/self-hosting.md hides the metrics of a server below a path as well', () => {
  const [, section = ''] = read('docs/self-hosting.md').split('\n### Below a path\n');
  const hiding = (proxy: string) =>
    section
      .split('\n')
      .find((line) => line.startsWith(`| ${proxy} |`))
      ?.split(' | ')
      .at(-1);
  const paths = METRICS.map((path) => `/feedback${path}`);
  for (const proxy of ['nginx', 'HAProxy']) {
    const [, pattern = 'none'] = / (\^\S+) /.exec(hiding(proxy) ?? '') ?? [];
    for (const path of paths) assert.match(path, new RegExp(pattern), proxy);
    // The server takes off a path that these leave of two.
    if (proxy === 'nginx') for (const path of paths) assert.match(`/feedback${path}`, new RegExp(pattern));
  }
  // In `handle_path`, it sees them without the first path.
  assert.match(hiding('Caddy') ?? '', new RegExp(`@internal path ${[...METRICS, ...paths].join(' ')}\``));
  assert.match(hiding('Traefik') ?? '', new RegExp(paths.map((path) => `!Path\\(\`${path}\`\\)`).join(' && ')));
});

test('the files that start servers let them stop, and open connections', () => {
  const unit = read('deploy/earshot.service');
  assert.ok(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1]) * 1_000 > LONGEST_STOP_MS);
  assert.ok(Number(/^LimitNOFILE=(\d+)$/m.exec(unit)?.[1]) > 2 * Number(settings.MAX_CONNECTIONS.fallback));
  const { services } = load(read('compose.yaml')) as ComposeFile;
  for (const name of ['web', 'worker'] as const) {
    assert.ok(toMs(services[name]?.stop_grace_period) > LONGEST_STOP_MS);
  }
  // Only a proxy on the same machine reaches it, so its headers may be believed.
  assert.deepEqual(services.web?.ports, ['127.0.0.1:4000:4000']);
});

test('each file for a proxy names the settings of the server that go with it', () => {
  const files = ['nginx.conf', 'Caddyfile', 'haproxy.cfg', 'traefik/traefik.yaml'].map((name) => `deploy/${name}`);
  for (const file of files) {
    const comment = read(file).split('\n\n')[0] ?? '';
    assert.match(comment, /BASE_URL=https:\/\/ideas\.example\.com\n/, file);
    const proxies = settings.TRUST_PROXY.parse(/TRUST_PROXY=(\S+)/.exec(comment)?.[1] ?? '');
    assert.deepEqual(proxies, ['127.0.0.1'], file);
  }
});

test('docs/self-hosting.md and docs/limits.md give the same numbers', () => {
  const document = read('docs/self-hosting.md');
  const seconds = (ms: number) => `${ms / 1_000} seconds`;
  for (const figure of [
    `${LARGEST_MIB} MiB`,
    `client_max_body_size ${LARGEST_MIB}m`,
    `${TIME_LIMITS.requestTimeout / 60_000} minutes`,
    seconds(TIME_LIMITS.keepAliveTimeout),
    seconds(PAUSES.heartbeatMs),
    seconds(LEAST_SILENCE_MS),
  ]) {
    assert.ok(section(document, '## Behind a proxy').includes(figure), figure);
  }
  const limits = read('docs/limits.md');
  assert.ok(limits.includes(`| idle connection | ${seconds(TIME_LIMITS.keepAliveTimeout)} |`));
  assert.ok(limits.includes(`| time to receive a whole request | ${TIME_LIMITS.requestTimeout / 60_000} minutes |`));
  assert.ok(limits.includes(`| file to import in the settings | ${MAX_IMPORT_BYTES / MIB} MiB`));
  for (const file of ['nginx.conf', 'Caddyfile', 'haproxy.cfg', 'traefik/traefik.yaml']) {
    const text = read(`deploy/${file}`);
    assert.match(text, new RegExp(`\\b${LARGEST_MIB}\\b`), file);
    for (const [, mentioned] of text.matchAll(/(\d+) seconds after which the servers close/g)) {
      assert.equal(Number(mentioned) * 1_000, TIME_LIMITS.keepAliveTimeout, file);
    }
    for (const [, mentioned] of text.matchAll(/send something every (\d+) seconds/g)) {
      assert.equal(Number(mentioned) * 1_000, PAUSES.heartbeatMs, file);
    }
  }
});

type TraefikSettings = {
  entryPoints: { websecure: { transport: { respondingTimeouts: { readTimeout: string } } } };
};
type TraefikRoutes = {
  http: {
    routers: { earshot: { rule: string } };
    middlewares: Record<string, { retry: { attempts: number; initialInterval: string } }>;
    services: { earshot: { loadBalancer: { healthCheck: { path: string; interval: string; timeout: string } } } };
    serversTransports: { earshot: { forwardingTimeouts: { dialTimeout: string; idleConnTimeout: string } } };
  };
};
type Service = {
  command?: string[];
  ports?: unknown;
  labels?: Record<string, string>;
  environment?: Record<string, string>;
  stop_grace_period?: string;
};
type ComposeFile = { services: Record<string, Service> };

/** `!reset` takes back what another file has set. */
const composeSchema = DEFAULT_SCHEMA.extend(new Type('!reset', { kind: 'sequence' }));

/** The directives of a file for nginx, Caddy or HAProxy, one on each line: their arguments by name, in order. */
function readDirectives(file: string) {
  const lines = read(file)
    .split('\n')
    .map((line) =>
      line
        .replace(/(^|\s)#.*/, '')
        .replace(/[;{]?\s*$/, '')
        .trim(),
    );
  const all = (name: string) =>
    lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length).trim());
  const only = (name: string) => {
    const found = all(name);
    assert.equal(found.length, 1, `${file} has ${name} once`);
    return found[0] ?? '';
  };
  return { all, only };
}

/** A time as the files write it, such as 500ms, 60s or 2m. */
function toMs(text: string | undefined): number {
  const [, number, unit = ''] = /^(\d+)(ms|s|m)$/.exec(text ?? '') ?? assert.fail(`not a time: ${text}`);
  return Number(number) * ({ ms: 1, s: 1_000, m: 60_000 }[unit] ?? Number.NaN);
}

function section(document: string, heading: string): string {
  const [, text = ''] = document.split(`\n${heading}\n`);
  return text.split('\n## ')[0] ?? '';
}

function numbersUpTo(last: number): number[] {
  return Array.from({ length: last + 1 }, (_, n) => n);
}
