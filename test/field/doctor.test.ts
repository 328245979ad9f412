import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { onEnd } from '../support/cleanup.ts';
import { startDns } from '../support/dns.ts';
import { startMailServer } from '../support/mail-server.ts';
import { findFreePort } from '../support/postgres.ts';
import { runCommand } from '../support/process.ts';
import { readCertificate } from '../support/raw-receiver.ts';
import { engines } from '../support/store.ts';
import { healthy, type Installation, install, NAME } from './examining.ts';

type Wrong = Record<string, string | null>;
type Fault = { break(installation: Installation, t: TestContext): unknown; wrong: Wrong };

const SCHEME = 'proxy_set_header X-Forwarded-Proto https;';
const HOST = 'proxy_set_header Host $http_host;';
const RENEW = `certbot certonly -d ${NAME}`;

/** Faults of a proxy in front of a server that is set up right, each with what doctor must name, and nothing else. */
const faults: Record<string, Fault> = {
  'X-Forwarded-Proto is lost': {
    break: ({ proxy }) => {
      proxy.passing = { headers: (sent, { address }) => ({ ...sent, 'x-forwarded-for': address }) };
    },
    wrong: { scheme: SCHEME },
  },
  'http from an inner proxy': {
    break: ({ proxy }) => {
      const headers = { 'x-forwarded-proto': 'http' };
      proxy.passing = { headers: (sent, { address }) => ({ ...sent, ...headers, 'x-forwarded-for': address }) };
    },
    wrong: { scheme: SCHEME },
  },
  'the port is lost in Host': {
    break: ({ proxy }) => {
      proxy.passing = { headers: (...sent) => ({ ...healthy.headers?.(...sent), host: NAME }) };
    },
    wrong: { host: HOST },
  },
  "the upstream's own Host": {
    break: ({ proxy }) => {
      proxy.passing = { headers: (...sent) => ({ ...healthy.headers?.(...sent), host: sent[2].host }) };
    },
    wrong: { host: HOST },
  },
  'X-Forwarded-For is lost': {
    break: ({ proxy }) => {
      proxy.passing = { headers: (sent) => ({ ...sent, 'x-forwarded-proto': 'https' }) };
    },
    wrong: { address: 'proxy_set_header X-Forwarded-For $remote_addr;' },
  },
  'bodies of more than 11 MB are refused': {
    break: ({ proxy }) => {
      proxy.passing = { ...healthy, limit: { bytes: 11_000_000, status: 413, streams: false } };
    },
    wrong: { body: 'client_max_body_size 51m;' },
  },
  'bodies of more than 11 MB are cut off': {
    break: ({ proxy }) => {
      proxy.passing = { ...healthy, limit: { bytes: 11_000_000, status: 502, streams: true } };
    },
    wrong: { body: 'client_max_body_size 51m;' },
  },
  'streams are buffered': {
    break: ({ proxy }) => {
      proxy.passing = { ...healthy, held: { bytes: 65_536, unlessTold: false } };
    },
    wrong: { stream: 'proxy_buffering off;' },
  },
  'compression is removed': {
    break: ({ proxy }) => {
      proxy.passing = { headers: (...sent) => ({ ...healthy.headers?.(...sent), 'accept-encoding': 'identity' }) };
    },
    wrong: { compression: 'proxy_set_header Accept-Encoding $http_accept_encoding;' },
  },
  'cookies are removed from requests': {
    break: ({ proxy }) => {
      proxy.passing = { headers: (...sent) => ({ ...healthy.headers?.(...sent), cookie: '' }) };
    },
    wrong: { cookies: 'proxy_set_header Cookie $http_cookie;' },
  },
  'cookies are removed from responses': {
    break: ({ proxy }) => {
      proxy.passing = { ...healthy, returned: ({ 'set-cookie': _, ...others }) => others };
    },
    wrong: { cookies: 'proxy_pass_header Set-Cookie;' },
  },
  'cookies get another path': {
    break: ({ proxy }) => {
      proxy.passing = { ...healthy, returned: changeCookies(/Path=\//, 'Path=/elsewhere') };
    },
    wrong: { cookies: 'proxy_cookie_path off;' },
  },
  'cookies lose Secure': {
    break: ({ proxy }) => {
      proxy.passing = { ...healthy, returned: changeCookies(/; Secure/, '') };
    },
    wrong: { cookies: 'proxy_cookie_flags off;' },
  },
  'the certificate has expired': { break: ({ proxy }) => proxy.certify('expired'), wrong: { certificate: RENEW } },
  'the certificate has another name': {
    break: ({ proxy }) => proxy.certify('wrong-name'),
    wrong: { certificate: RENEW },
  },
  'the certificate is self-signed': {
    break: ({ proxy }) => proxy.certify('self-signed'),
    wrong: { certificate: RENEW },
  },
};

function changeCookies(attribute: RegExp, other: string) {
  return ({ 'set-cookie': cookies = [], ...others }: IncomingHttpHeaders): IncomingHttpHeaders => {
    return { ...others, 'set-cookie': cookies.map((cookie) => cookie.replace(attribute, other)) };
  };
}

for (const engine of engines) {
  test(`doctor finds nothing wrong where nothing is wrong, and one fault of the proxy [${engine}]`, async (t) => {
    const installation = await install(t, engine);
    assert.deepEqual(await installation.examine(), {});
    installation.proxy.passing = { headers: (...sent) => ({ ...healthy.headers?.(...sent), host: NAME }) };
    assert.deepEqual(await installation.examine(), { host: HOST });
  });
}

test('doctor names each fault of a proxy, and only that', async (t) => {
  const installation = await install(t, 'sqlite');
  for (const [name, fault] of Object.entries(faults)) {
    await t.test(name, async (inner) => {
      await fault.break(installation, inner);
      assert.deepEqual(await installation.examine(), fault.wrong);
      installation.proxy.passing = healthy;
      installation.proxy.certify('good');
    });
  }
  assert.deepEqual(await installation.examine(), {}, 'each fault was mended');
});

test('doctor names a mail server that is addressed or used wrongly, and only that', async (t) => {
  const installation = await install(t, 'sqlite');
  const key = readCertificate('good');
  const secure = await startMailServer(t, { secure: true, key, cert: key });
  const mixedUp = await installation.examine({ env: { SMTP_URL: `smtp://127.0.0.1:${secure.port}` } });
  assert.deepEqual(mixedUp, { mailServer: `SMTP_URL=smtps://127.0.0.1:${secure.port}` });
  const plain = await startMailServer(t);
  const other = await installation.examine({ env: { SMTP_URL: `smtps://127.0.0.1:${plain.port}` } });
  assert.deepEqual(other, { mailServer: `SMTP_URL=smtp://127.0.0.1:${plain.port}` });
  const port = await startRefusing(t);
  const refused = await installation.examine({ env: { SMTP_URL: `smtp://me:geheim-4711@127.0.0.1:${port}` } });
  assert.deepEqual(refused, { mailServer: `SMTP_URL=smtp://user:password@127.0.0.1:${port}` });
  assert.deepEqual(installation.mailServer.mails, [], 'no mail was sent');
});

/** A mail server that accepts no user. @returns its port */
async function startRefusing(t: TestContext): Promise<number> {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 10,
    onAuth: (_, __, done) => done(new Error('535 wrong password')),
  });
  server.on('error', () => {});
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  onEnd(t, () => new Promise<void>((resolve) => server.close(() => resolve())));
  return (listening.address() as AddressInfo).port;
}

/** Settings that are wrong, with what doctor must name. */
const settings: readonly (readonly [string, Parameters<typeof install>[2], (port: string) => Wrong])[] = [
  ['no proxy is trusted', { env: { TRUST_PROXY: '0' } }, () => ({ address: 'TRUST_PROXY=127.0.0.1' })],
  ['too many proxies are trusted', { env: { TRUST_PROXY: '3' } }, () => ({ address: 'TRUST_PROXY=1' })],
  [
    'BASE_URL has http, the proxy https',
    { baseUrl: (port) => `http://${NAME}:${port}` },
    (port) => ({ scheme: `BASE_URL=https://${NAME}:${port}` }),
  ],
  [
    'BASE_URL has https, the proxy http',
    { isSecure: false },
    (port) => ({ scheme: port.endsWith('443') ? `listen ${port} ssl;` : `BASE_URL=http://${NAME}:${port}` }),
  ],
  [
    'the clock of the server is wrong',
    { env: { NODE_OPTIONS: '--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+900000' } },
    () => ({ clock: 'timedatectl set-ntp true' }),
  ],
];

for (const [name, broken, wrongAt] of settings) {
  test(`doctor names what is set wrong, and only that: ${name}`, async (t) => {
    const installation = await install(t, 'sqlite', broken);
    const { NODE_OPTIONS: _, ...env } = installation.env;
    assert.deepEqual(await installation.examine({ env }), wrongAt(new URL(installation.baseUrl).port));
  });
}

test('doctor reports when the public address is that of another server, and when the server is down', async (t) => {
  const other = createServer((_, response) => response.writeHead(404).end('Hello')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onEnd(t, () => other.close());
  const { port } = other.address() as AddressInfo;
  const installation = await install(t, 'sqlite');
  const forward = `proxy_pass ${installation.server.url};`;
  assert.deepEqual(await installation.examine({ url: `http://${NAME}:${port}` }), { self: forward });
  await installation.server.end('SIGTERM');
  assert.deepEqual(await installation.examine(), { server: 'npm start' });
});

test('doctor names faults of DNS, of the ports, of the issuer and of records for mail, and only those', async (t) => {
  const installation = await install(t, 'sqlite');
  const { world } = installation;
  const lookup = async () => {
    throw Object.assign(new Error('none'), { code: 'ENOTFOUND' });
  };
  assert.deepEqual(await installation.examine({ world: { lookup } }), { dns: `${NAME}. A <address of the proxy>` });
  const closed = await findFreePort();
  const url = `https://${NAME}:${closed}`;
  assert.deepEqual(await installation.examine({ url }), { port: `listen ${closed} ssl;` });
  const plain = createServer((_, response) => response.end('Hello')).listen(0, '127.0.0.1');
  await once(plain, 'listening');
  onEnd(t, () => plain.close());
  const { port: httpPort } = plain.address() as AddressInfo;
  assert.deepEqual(await installation.examine({ world: { httpPort } }), {
    redirect: 'return 308 https://$host$request_uri;',
  });
  const oidc = { OIDC_ISSUER: `http://127.0.0.1:${closed}`, OIDC_CLIENT_ID: 'id', OIDC_CLIENT_SECRET: 'secret' };
  assert.deepEqual(await installation.examine({ env: oidc }), { issuer: null });
  const { server } = await startDns(t, () => []);
  assert.deepEqual(await installation.examine({ world: { ...world, dns: { servers: [server] } } }), {
    mailDns: `${NAME}. TXT "v=spf1 mx ~all"`,
  });
});

test('the command prints its findings, as text and as JSON, and its status shows whether something is wrong', async (t) => {
  const installation = await install(t, 'sqlite', { baseUrl: (port) => `https://127.0.0.1:${port}` });
  const { SMTP_URL: _, MAIL_FROM: __, ...own } = installation.env;
  const file = new URL('../support/certificates/authority.pem', import.meta.url).pathname;
  const env = { ...own, NODE_EXTRA_CA_CERTS: file };
  const port = await startRefusing(t);
  const right = await runCommand(['doctor', '--json'], env);
  const { ok, checks } = JSON.parse(right.stdout);
  assert.deepEqual([right.status, ok, right.stderr], [0, true, ''], right.stdout);
  assert.deepEqual(Object.keys(checks[0]), ['name', 'ok', 'seen', 'why', 'change']);
  assert.equal(checks[0].name, 'server');
  installation.proxy.passing = { headers: (...sent) => ({ ...healthy.headers?.(...sent), host: '127.0.0.1' }) };
  const login = { SMTP_URL: `smtp://me:geheim-4711@127.0.0.1:${port}`, MAIL_FROM: `ideas@${NAME}` };
  const secret = await runCommand(['doctor', '--json'], { ...env, ...login });
  assert.match(secret.stdout, /"name":"mailServer","ok":false/);
  assert.doesNotMatch(secret.stdout + secret.stderr, /geheim-4711|Z2VoZWltLTQ3MTE|v1\./);
  const wrong = await runCommand(['doctor'], env);
  assert.equal(wrong.status, 1);
  assert.match(
    wrong.stdout,
    /WRONG {2}host .*127\.0\.0\.1\n.*removes the port.*\n.*nginx: proxy_set_header Host \$http_host;/,
  );
  assert.match(wrong.stdout, /^ +HAProxy: by itself, unless a line of yours changes it: remove that line$/m);
  assert.match(wrong.stderr, /^Wrong: host$/m);
});

test('the endpoint that doctor asks gives other callers nothing', async (t) => {
  const { server } = await install(t, 'sqlite');
  const ask = async (path: string, init?: RequestInit) => {
    const response = await fetch(`${server.url}${path}`, init);
    return [response.status, (await response.text()).replace(/"requestId":"[^"]*"/, '').replaceAll(path, 'PATH')];
  };
  for (const method of ['GET', 'POST']) {
    const unknown = await ask('/api/v1/nothing', { method });
    for (const token of ['', 'v1.AAAA', `v1.${'A'.repeat(100)}`, 'x'.repeat(5_000)]) {
      const init = { method, headers: { 'earshot-reach': token } };
      for (const path of ['/api/v1/reach', ...(method === 'GET' ? ['/api/v1/reach/stream'] : [])]) {
        assert.deepEqual(await ask(path, init), unknown, `${method} ${path} ${token.slice(0, 20)}`);
      }
    }
  }
});
