import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConfigError, readConfig, settings } from './config.ts';

test('without any variable the defaults count', () => {
  assert.deepEqual(readConfig({}), {
    port: 4000,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:4000',
    dataDir: './data',
    databaseUrl: null,
    role: 'all',
    trustProxy: 0,
    logLevel: 'info',
  });
});

test('every variable is read', () => {
  const config = readConfig({
    PORT: '65535',
    HOST: '0.0.0.0',
    BASE_URL: 'https://ideas.example.com/',
    DATA_DIR: '/var/lib/earshot',
    DATABASE_URL: 'postgres://a:b@db/earshot',
    ROLE: 'web',
    TRUST_PROXY: '10.0.0.0/8, ::1',
    LOG_LEVEL: 'debug',
  });
  assert.equal(config.baseUrl, 'https://ideas.example.com');
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', '::1']);
  assert.equal(Object.keys(settings).length, Object.keys(config).length);
});

test('an empty variable is as good as none', () => {
  assert.equal(readConfig({ PORT: '', DATABASE_URL: ' ' }).port, 4000);
});

test('every mistake has a line with variable, value and what is allowed, and no password', () => {
  const env = {
    PORT: '65536',
    HOST: 'a b',
    BASE_URL: 'ideas.example.com',
    DATABASE_URL: 'mysql://root:hunter2@db/x',
    ROLE: 'boss',
    TRUST_PROXY: '10.0.0.0/33',
    LOG_LEVEL: 'loud',
  };
  assert.throws(
    () => readConfig(env),
    (error) => {
      assert.ok(error instanceof ConfigError);
      const lines = error.message.split('\n');
      assert.deepEqual(
        lines.map((line) => line.split(':')[0]),
        Object.keys(env),
      );
      for (const line of lines) assert.match(line, /is not allowed; it must be /);
      assert.ok(!error.message.includes('hunter2'));
      return true;
    },
  );
});

test('values at their limits', () => {
  const allowed = (env: Record<string, string>) => {
    try {
      return Boolean(readConfig(env));
    } catch {
      return false;
    }
  };
  for (const PORT of ['1', '65535']) assert.ok(allowed({ PORT }), PORT);
  for (const PORT of ['0', '65536', '-1', '4000x', '1e3', '0x10']) assert.ok(!allowed({ PORT }), PORT);
  for (const BASE_URL of ['http://a', 'https://a/b']) assert.ok(allowed({ BASE_URL }), BASE_URL);
  for (const BASE_URL of ['ftp://a', 'https://u:p@a', 'https://a?x', 'https://a#x'])
    assert.ok(!allowed({ BASE_URL }), BASE_URL);
  for (const TRUST_PROXY of ['0', '2', '::/0', '10.0.0.1']) assert.ok(allowed({ TRUST_PROXY }), TRUST_PROXY);
  for (const TRUST_PROXY of ['true', '10.0.0', '10.0.0.0/8/8', ',']) assert.ok(!allowed({ TRUST_PROXY }), TRUST_PROXY);
});
