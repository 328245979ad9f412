import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCommandLine } from '../support/command-line.ts';
import { engines, makeStorePlace } from '../support/store.ts';

/** Hosts that stand for this machine, private networks or what clouds keep for themselves, in all their notations. */
const hosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '0300.0250.0.1', '①②⑦.⓪.⓪.①', '127。0。0。1'],
  ...['127.0.0.1.', '0', '0.0.0.0', '127.255.255.254', 'localhost', 'localhost.', 'LOCALHOST', 'x.localhost'],
  ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[::ffff:0:7f00:1]', '[::5efe:7f00:1]', '[fec0::1]'],
  ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]', '[fe80::1]', '[ff02::1]'],
  ...['[fd00:ec2::254]', '[fc00::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[4000::1]'],
  ...['0.1.2.3', '10.0.0.1', '100.64.0.1', '100.100.100.200', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.192', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.51.100.1', '203.0.113.1'],
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '168.63.129.16', 'metadata.google.internal', 'x.internal'],
  ...['printer.local', 'redis', 'db', 'nas.home.arpa', 'a.localdomain'],
];

const REFUSED = 'address not allowed: enter one on the public internet, or ask the operator to allow its range';

/** What is no address for a webhook wherever it leads, and the words that say so. */
const malformed: [url: string, words: string][] = [
  ['http://a@127.0.0.1/', 'The address must not contain a user name or password.'],
  ['https://user:password@example.com/', 'The address must not contain a user name or password.'],
  ['http://127.0.0.1:0/', 'Port 0 cannot be used.'],
  ['ftp://example.com/', 'The address must begin with https:// or http://.'],
  ['file:///etc/passwd', 'The address must begin with https:// or http://.'],
  ['unix:/var/run/docker.sock', 'The address must begin with https:// or http://.'],
  ['http://[fe80::1%25eth0]/', 'This is not a complete URL such as https://example.com/hook.'],
  ['example.com/hook', 'This is not a complete URL such as https://example.com/hook.'],
  [`https://example.com/${'a'.repeat(2_048)}`, 'The address must have at most 2,048 characters.'],
];

for (const engine of engines) {
  test(`an address that may not be dialled is refused when it is saved, always in the same words [${engine}]`, async (t) => {
    const { run, json } = makeCommandLine(await makeStorePlace(t, engine));
    await json('board', 'create', '--name', 'Acme');
    const cases = [...hosts.map((host) => [`http://${host}:8080/x`, REFUSED] as const), ...malformed];
    for (const [url, words] of cases) {
      const refused = await run('webhook', 'create', '--url', url, '--enable');
      assert.deepEqual(refused, { status: 1, stdout: '', stderr: `${words}\n` }, url);
    }
    assert.deepEqual(await json('webhook', 'list'), { items: [] });
  });

  test(`what a range opens is opened, and the rest refused as before [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const { run, json } = makeCommandLine(place, { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,169.254.0.0/16' });
    await json('board', 'create', '--name', 'Acme');
    const { id } = await json('webhook', 'create', '--url', 'http://2130706433:9/x');
    const refused = ['10.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '169.254.169.254'];
    for (const host of refused) {
      for (const args of [['create'], ['update', id]]) {
        const { status, stderr } = await run('webhook', ...args, '--url', `http://${host}/`);
        assert.deepEqual([status, stderr], [1, `${REFUSED}\n`], host);
      }
    }
    const closed = makeCommandLine(place);
    const { status, stdout } = await closed.run('webhook', 'enable', id, '--json');
    const { outcome, answer } = JSON.parse(stdout).verification;
    assert.deepEqual([status, outcome, answer], [1, 'address not allowed', null]);
  });
}
