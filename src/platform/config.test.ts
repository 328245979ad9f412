import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ConfigError, readConfig, type settings } from './config.ts';

test('without any variable the defaults count', () => {
  assert.deepEqual(readConfig({}), {
    port: 4000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:4000',
    dataDir: './data',
    databaseUrl: null,
    databaseListenUrl: null,
    databaseReadUrl: null,
    role: 'all',
    trustProxy: 0,
    secretKey: null,
    eventsKeepDays: null,
    webhookAllowCidrs: [],
    smtpUrl: null,
    mailFrom: 'Earshot <earshot@localhost>',
    mailIn: null,
    newStore: false,
    sandbox: true,
    maxConnections: 4_000,
    drainDelayMs: 1_000,
    signInProviders: [],
    signInDomains: [],
    logLevel: 'info',
    tracing: null,
  });
});

test('every variable is read', () => {
  const config = readConfig({
    PORT: '65535',
    HOST: '0.0.0.0',
    BASE_URL: 'https://ideas.example.com/',
    DATA_DIR: '/var/lib/earshot',
    DATABASE_URL: 'postgres://a:b@pooler/earshot',
    DATABASE_LISTEN_URL: 'postgres://a:b@db/earshot',
    DATABASE_READ_URL: 'postgres://a:b@replica/earshot',
    ROLE: 'web',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    SECRET_KEY: 'sixteen letters!',
    EVENTS_KEEP_DAYS: '400',
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8, ::1',
    SMTP_URL: 'smtps://mailer:pass%20word@mail.example.com:465',
    MAIL_FROM: 'Ideas at Acme <ideas@example.com>',
    MAX_CONNECTIONS: '100000',
    DRAIN_DELAY: '0.5',
    GOOGLE_CLIENT_ID: 'g',
    GOOGLE_CLIENT_SECRET: 'google-secret',
    GITHUB_CLIENT_ID: 'h',
    GITHUB_CLIENT_SECRET: 'github-secret',
    OIDC_ISSUER: 'https://id.example.com/realms/acme/.well-known/openid-configuration',
    OIDC_CLIENT_ID: 'o',
    OIDC_CLIENT_SECRET: 'oidc-secret',
    OIDC_NAME: 'Acme ID',
    OIDC_EMAIL_CLAIM: 'upn',
    OIDC_TRUST_EMAIL: 'on',
    SIGN_IN_DOMAINS: 'Example.com, example.org',
    LOG_LEVEL: 'debug',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20YTpi, x-tenant=a=b',
    OTEL_SERVICE_NAME: 'feedback',
    OTEL_TRACES_SAMPLER_ARG: '0.05',
  });
  assert.equal(config.baseUrl, 'https://ideas.example.com');
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1']);
  assert.equal(config.eventsKeepDays, 400);
  assert.equal(config.databaseListenUrl, 'postgres://a:b@db/earshot');
  assert.equal(config.databaseReadUrl, 'postgres://a:b@replica/earshot');
  assert.equal(config.secretKey, 'sixteen letters!');
  assert.deepEqual(config.webhookAllowCidrs, ['127.0.0.0/8', '::1']);
  assert.equal(config.smtpUrl, 'smtps://mailer:pass%20word@mail.example.com:465');
  assert.equal(config.mailFrom, 'Ideas at Acme <ideas@example.com>');
  assert.equal(config.drainDelayMs, 500);
  assert.equal(config.maxConnections, 100_000);
  assert.deepEqual(config.signInProviders, [
    { id: 'google', name: 'Google', clientId: 'g', clientSecret: 'google-secret', openid: null },
    { id: 'github', name: 'GitHub', clientId: 'h', clientSecret: 'github-secret', openid: null },
    {
      id: 'oidc',
      name: 'Acme ID',
      clientId: 'o',
      clientSecret: 'oidc-secret',
      openid: { issuer: 'https://id.example.com/realms/acme', emailClaim: 'upn', trustsEmail: true },
    },
  ]);
  assert.deepEqual(config.signInDomains, ['example.com', 'example.org']);
  assert.deepEqual(config.tracing, {
    url: 'http://collector:4318/v1/traces',
    headers: { authorization: 'Basic YTpi', 'x-tenant': 'a=b' },
    isProtobuf: false,
    attributes: { 'service.name': 'feedback' },
    share: 0.05,
    followsCallers: false,
  });
});

test('a provider that is set in part is a mistake, and no secret is repeated', () => {
  for (const [env, line] of [
    [{ GOOGLE_CLIENT_ID: 'g' }, 'GOOGLE_CLIENT_SECRET: not set, though GOOGLE_CLIENT_ID is'],
    [{ GITHUB_CLIENT_SECRET: 'hunter2' }, 'GITHUB_CLIENT_ID: not set, though GITHUB_CLIENT_SECRET is'],
    [
      { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'o' },
      'OIDC_CLIENT_SECRET: not set, though OIDC_ISSUER, OIDC_CLIENT_ID is',
    ],
  ] as const) {
    assert.throws(() => readConfig(env), { message: line });
  }
  assert.throws(() => readConfig({ SIGN_IN_DOMAINS: 'localhost' }), /^Error: SIGN_IN_DOMAINS/);
});

test('an address to listen at needs that of the database', () => {
  assert.throws(() => readConfig({ DATABASE_LISTEN_URL: 'postgres://a:hunter2@db/earshot' }), {
    message: 'DATABASE_LISTEN_URL: it has no effect without DATABASE_URL',
  });
  assert.throws(
    () => readConfig({ DATABASE_LISTEN_URL: 'http://a:hunter2@db/earshot' }),
    (error: Error) => {
      assert.match(error.message, /^DATABASE_LISTEN_URL: the value is not allowed/);
      return !error.message.includes('hunter2');
    },
  );
});

test('SQLite has no replica', () => {
  assert.deepEqual(mistakesOf({ DATABASE_READ_URL: 'postgres://a:hunter2@db/earshot' }), [
    'DATABASE_READ_URL: it names a replica of PostgreSQL, and without DATABASE_URL the store is SQLite',
  ]);
});

test('an empty variable is treated as unset', () => {
  const config = readConfig({ PORT: '', DATABASE_URL: ' ', SECRET_KEY: ' ', SMTP_URL: '', MAIL_FROM: '' });
  assert.deepEqual(config, readConfig({}));
});

test('every mistake has a line with variable, value and what is allowed, and no secret', () => {
  const env = {
    PORT: '65536',
    HOST: 'a b',
    BASE_URL: 'ideas.example.com',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    ROLE: 'boss',
    TRUST_PROXY: '10.0.0.0/33',
    SECRET_KEY: 'hunter2',
    EVENTS_KEEP_DAYS: '0',
    WEBHOOK_ALLOW_CIDRS: 'localhost',
    SMTP_URL: 'mail://me:hunter2@mail.example.com',
    MAIL_FROM: 'Acme',
    MAX_CONNECTIONS: '0',
    DRAIN_DELAY: 'long',
    LOG_LEVEL: 'loud',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317',
    OTEL_EXPORTER_OTLP_HEADERS: 'Basic hunter2',
    OTEL_TRACES_SAMPLER: 'xray',
    OTEL_TRACES_SAMPLER_ARG: '2',
  };
  const lines = mistakesOf(env);
  assert.deepEqual(
    lines.map((line) => line.split(':')[0]),
    Object.keys(env),
  );
  for (const line of lines) assert.match(line, /is not allowed; it must be /);
  assert.doesNotMatch(lines.join('\n'), /hunter2/);
});

test('an address with a name or a password in it is a mistake, and they are not repeated', () => {
  for (const who of ['me:hunter2', ':hunter2', 'hunter2', 'hunter2:']) {
    assert.deepEqual(mistakesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `https://${who}@collector:4318/a` }), [
      'OTEL_EXPORTER_OTLP_ENDPOINT: "https://…@collector:4318/a" is not allowed; it must be an http or https address',
    ]);
  }
});

test('with PostgreSQL a secret key is required, and one mistake about it is one line', () => {
  const DATABASE_URL = 'postgres://db/earshot';
  const missing = [
    'SECRET_KEY: it is not set; with DATABASE_URL it must be at least 16 characters, the same in every process',
  ];
  assert.deepEqual(mistakesOf({ DATABASE_URL }), missing);
  assert.deepEqual(mistakesOf({ DATABASE_URL, SECRET_KEY: ' ' }), missing);
  assert.deepEqual(mistakesOf({ DATABASE_URL, SECRET_KEY: 'x'.repeat(15) }), [
    'SECRET_KEY: the value is not allowed; it must be at least 16 characters, the same in every process',
  ]);
  assert.deepEqual(mistakesOf({ DATABASE_URL, SECRET_KEY: 'x'.repeat(16) }), []);
});

test('secrets may stand in files, which are named instead of them', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-config-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'secret');
  writeFileSync(file, 'sixteen letters!\n');
  assert.equal(readConfig({ SECRET_KEY_FILE: file }).secretKey, 'sixteen letters!');
  writeFileSync(file, 'postgres://a:hunter2@db/earshot');
  const inFiles = { DATABASE_URL_FILE: file, SECRET_KEY: 'sixteen letters!' };
  assert.equal(readConfig(inFiles).databaseUrl, 'postgres://a:hunter2@db/earshot');
  assert.deepEqual(mistakesOf({ SECRET_KEY_FILE: join(folder, 'none') }), [
    `SECRET_KEY_FILE: ${JSON.stringify(join(folder, 'none'))} cannot be read (ENOENT)`,
  ]);
  assert.deepEqual(mistakesOf({ ...inFiles, DATABASE_URL: 'postgres://b/c' }), [
    'DATABASE_URL_FILE: DATABASE_URL is set as well; only one of them may be',
  ]);
  assert.deepEqual(mistakesOf({ PORT_FILE: file }), []);
});

test('values at their limits', () => {
  const limits: [name: keyof typeof settings, allowed: string[], refused: string[]][] = [
    ['PORT', ['1', '65535'], ['0', '65536', '-1', '4000x', '1e3', '0x10']],
    [
      'BASE_URL',
      ['http://a', 'https://a/', 'https://a/b-c/_.~1/'],
      ['ftp://a', 'https://u:p@a', 'https://:p@a', 'https://a?', 'https://a#x', 'https://a/@b', 'https://a/b/'],
    ],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', ['http://a', 'https://a/@b'], ['ftp://a', 'https://u:p@a', 'https://a?']],
    [
      'TRUST_PROXY',
      ['0', '2', '::/1', '10.0.0.0/10', '10.0.0.1'],
      ['true', '10.0.0', '10.0.0.0/8/8', ',', '::/0', '10.0.0.0/0, ::1'],
    ],
    ['MAX_CONNECTIONS', ['1', '100000'], ['0', '100001', '-1', '1e3', '01']],
    ['DRAIN_DELAY', ['0', '0.25', '60', '60.000'], ['60.001', '61', '-1', '1s', '1.0000', '1,5', '.5', '1e1']],
    ['OTEL_TRACES_SAMPLER_ARG', ['0', '1', '0.000001', '.5', '1.0'], ['-1', '1.1', '0.0000001', '1e-3', 'all']],
    ['OTEL_EXPORTER_OTLP_HEADERS', ['a=', 'a=%20b, c=d'], ['a', '=b', 'a=%', 'a b=c', 'a=b,', 'a=b%0dc']],
    ['SECRET_KEY', ['x'.repeat(16), 'x'.repeat(1_000)], ['x', 'x'.repeat(15), `${'x'.repeat(15)}  `]],
    ['WEBHOOK_ALLOW_CIDRS', ['127.0.0.1', '10.0.0.0/8,fc00::/7'], ['10.0.0.0/33', '10.0.0.0/8,', 'example.com', '*']],
    [
      'SMTP_URL',
      ['smtp://localhost', 'smtp://127.0.0.1:2525', 'smtps://u:p@[::1]:465'],
      ['localhost', 'smtp://', 'smtps:', 'https://mail.example.com', 'smtp://a:99999'],
    ],
    [
      'MAIL_FROM',
      ['a@b', '<a@b>', 'Acme <a@b>', 'Ärger & Söhne, "Inc." <a@b.example>'],
      [
        'a',
        'a@',
        '@b',
        'a b@c',
        'Acme <a@b',
        'Acme <a@b> x',
        'Acme <a>',
        'a@b\nBcc: c@d',
        'A\r\nB <a@b>',
        '<a@b>, <c@d>',
      ],
    ],
  ];
  for (const [name, allowed, refused] of limits) {
    for (const value of allowed) assert.deepEqual(mistakesOf({ [name]: value }), [], `${name}=${value}`);
    for (const value of refused) assert.equal(mistakesOf({ [name]: value }).length, 1, `${name}=${value}`);
  }
});

function mistakesOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
}

test('mail comes in once it has a domain, and nothing for it is left without one', () => {
  const env = {
    INBOUND_MAIL_DOMAIN: 'In.Example.com',
    INBOUND_MAIL_SECRET: 'sixteen letters..',
    INBOUND_SMTP_PORT: '2525',
  };
  assert.deepEqual(readConfig(env).mailIn, {
    domain: 'in.example.com',
    secret: 'sixteen letters..',
    smtpPort: 2525,
    smtpHost: null,
    certificate: null,
  });
  assert.throws(() => readConfig({ INBOUND_SMTP_PORT: '2525' }), /INBOUND_MAIL_DOMAIN: not set/);
  assert.throws(() => readConfig({ INBOUND_MAIL_DOMAIN: 'in.example.com' }), /INBOUND_MAIL_DOMAIN: mail has no way in/);
  assert.throws(() => readConfig({ ...env, INBOUND_SMTP_CERT: '/x.pem' }), /both are needed for STARTTLS/);
  assert.throws(() => readConfig({ ...env, INBOUND_MAIL_SECRET: 'short' }), /at least 16 characters/);
});
