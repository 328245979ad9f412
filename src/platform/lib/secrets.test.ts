import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { makeCipher } from './cipher.ts';
import { requireSecretKey } from './secret-key.ts';

const KEY = 'a key of the tests';

test('an encrypted text is decrypted with the same key at the same place, whatever it contains', () => {
  const cipher = makeCipher(KEY);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, place) => {
      assert.equal(makeCipher(KEY).decrypt(cipher.encrypt(text, place), place), text);
    }),
  );
});

test('the same text is encrypted differently each time, and shows nothing of itself', () => {
  const cipher = makeCipher(KEY);
  const encrypted = [1, 2].map(() => cipher.encrypt('hunter2 hunter2 hunter2', 'here'));
  assert.notEqual(encrypted[0], encrypted[1]);
  for (const text of encrypted) assert.match(text, /^v1\.[\w-]+$/);
});

test('an encrypted text is not decrypted with another key or at another place', () => {
  const encrypted = makeCipher(KEY).encrypt('hunter2', 'webhooks.signing_secret 1');
  const refusal = { message: /SECRET_KEY is not the one/ };
  assert.throws(() => makeCipher(`${KEY}!`).decrypt(encrypted, 'webhooks.signing_secret 1'), refusal);
  assert.throws(() => makeCipher(KEY).decrypt(encrypted, 'webhooks.signing_secret 2'), refusal);
  assert.throws(() => makeCipher(KEY).decrypt(encrypted, ''), refusal);
});

test('a text has one name for a purpose and a key, which says nothing of it', () => {
  const name = makeCipher(KEY).name('one', 'here');
  assert.match(name, /^[\da-f]{64}$/);
  assert.equal(makeCipher(KEY).name('one', 'here'), name);
  const others = [
    makeCipher(KEY).name('one', 'there'),
    makeCipher(KEY).name('two', 'here'),
    makeCipher(`${KEY}!`).name('one', 'here'),
  ];
  assert.equal(new Set([name, ...others]).size, 4);
});

test('an encrypted text that was changed anywhere, shortened or lengthened is not decrypted', () => {
  const cipher = makeCipher(KEY);
  const encrypted = cipher.encrypt('hunter2', 'here');
  const bytes = Buffer.from(encrypted.slice(3), 'base64url');
  const changed = Array.from(bytes, (_, n) => withByteChanged(bytes, n));
  const others = [...changed, bytes.subarray(0, -1), bytes.subarray(0, 20), Buffer.concat([bytes, Buffer.of(0)])];
  for (const other of others) assert.throws(() => cipher.decrypt(`v1.${other.toString('base64url')}`, 'here'));
  for (const text of ['', 'v1.', 'hunter2', encrypted.replace('v1.', 'v2.')])
    assert.throws(() => cipher.decrypt(text, 'here'));
});

test('the setting wins over the key in the data folder, and makes none', (t) => {
  const dataDir = makeFolder(t);
  assert.equal(requireSecretKey({ secretKey: KEY, dataDir }), KEY);
  assert.deepEqual(readdirSync(dataDir), []);
});

test('a key is made in the data folder once, readable by its owner only, without temporary files', (t) => {
  const dataDir = join(makeFolder(t), 'deep', 'data');
  const key = requireSecretKey({ secretKey: null, dataDir });
  assert.match(key, /^[\w-]{43}$/);
  assert.equal(requireSecretKey({ secretKey: null, dataDir }), key);
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
  if (process.platform !== 'win32') assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600);
  assert.notEqual(requireSecretKey({ secretKey: null, dataDir: makeFolder(t) }), key);
});

test('a key that a person wrote into the file counts without its line end', (t) => {
  const dataDir = makeFolder(t);
  writeFileSync(join(dataDir, 'secret.key'), `${KEY}\n`);
  assert.equal(requireSecretKey({ secretKey: null, dataDir }), KEY);
});

test('an empty key file is refused, not taken for a key', (t) => {
  const dataDir = makeFolder(t);
  writeFileSync(join(dataDir, 'secret.key'), ' \n');
  assert.throws(() => requireSecretKey({ secretKey: null, dataDir }), /secret\.key must contain a key of at least 16/);
});

test('several that need a key at once agree on one', async (t) => {
  const dataDir = makeFolder(t);
  const keys = await Promise.all(Array.from({ length: 6 }, () => requireSecretKeyInThread(dataDir)));
  assert.deepEqual(new Set(keys), new Set([readFileSync(join(dataDir, 'secret.key'), 'utf8')]));
  assert.deepEqual(readdirSync(dataDir), ['secret.key']);
});

function withByteChanged(bytes: Buffer, n: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(n) ^ 1, n);
  return copy;
}

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function requireSecretKeyInThread(dataDir: string): Promise<string> {
  const code = `
    const { parentPort, workerData: { module, dataDir } } = require('node:worker_threads');
    import(module).then(({ requireSecretKey }) => parentPort.postMessage(requireSecretKey({ secretKey: null, dataDir })));`;
  const module = new URL('./secret-key.ts', import.meta.url).href;
  const [key] = await once(new Worker(code, { eval: true, workerData: { module, dataDir } }), 'message');
  return key;
}
