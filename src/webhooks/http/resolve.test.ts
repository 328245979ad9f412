import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type DnsReply, startDns } from '../../../test/support/dns.ts';
import { makeAddressRules } from './address.ts';
import { makeResolver, type Resolution, type ResolverOptions } from './resolve.ts';

const notAllowed: Resolution = { fault: { kind: 'address not allowed' } };
const late: Resolution = { fault: { kind: 'timed out', phase: 'dns' } };
const unknown = (host: string): Resolution => ({ fault: { kind: 'could not resolve host', host } });

/** A resolver beside a DNS server that answers from a table of `A name` and `AAAA name`. */
async function start(t: TestContext, table: Record<string, DnsReply>, options: Partial<ResolverOptions> = {}) {
  const { server, questions } = await startDns(t, (name, type) => table[`${type} ${name}`] ?? []);
  const resolve = makeResolver({ rules: makeAddressRules([]), servers: [server], lookupMs: 2_000, ...options });
  const ask = (host: string) => resolve({ host, isAddress: false, isLocal: false });
  return { ask, resolve, questions, table };
}

const a = (value: string, ttl = 60) => ({ type: 'A', value, ttl }) as const;
const aaaa = (value: string, ttl = 60) => ({ type: 'AAAA', value, ttl }) as const;

test('a name has the addresses of both families', async (t) => {
  const { ask, questions } = await start(t, {
    'A both.example': [a('1.1.1.1'), a('1.0.0.1')],
    'AAAA both.example': [aaaa('2606:4700::1111')],
    'A four.example': [a('1.1.1.1')],
    'AAAA six.example': [aaaa('2606:4700::1111')],
  });
  assert.deepEqual(await ask('both.example'), { addresses: ['1.1.1.1', '1.0.0.1', '2606:4700::1111'] });
  assert.deepEqual(await ask('four.example'), { addresses: ['1.1.1.1'] });
  assert.deepEqual(await ask('six.example'), { addresses: ['2606:4700::1111'] });
  assert.equal(questions.length, 6);
});

test('one forbidden address rejects the whole answer', async (t) => {
  const cname = { type: 'CNAME', value: 'inside.example' } as const;
  const many = Array.from({ length: 999 }, (_, n) => a(`1.1.${n >> 8}.${n & 255}`));
  const { ask } = await start(t, {
    'A mixed.example': [a('1.1.1.1'), a('10.0.0.1')],
    'A families.example': [a('1.1.1.1')],
    'AAAA families.example': [aaaa('::1')],
    'AAAA mapped.example': [aaaa('::ffff:7f00:1')],
    'A nip.example': [a('127.0.0.1')],
    'A azure.example': [a('168.63.129.16')],
    'A chain.example': [cname, { ...a('192.168.1.1'), name: 'inside.example' }],
    'A last.example': [...many, a('127.0.0.1')],
  });
  for (const name of ['mixed', 'families', 'mapped', 'nip', 'azure', 'chain', 'last']) {
    assert.deepEqual(await ask(`${name}.example`), notAllowed, name);
  }
});

test('only a few of a thousand allowed addresses are tried', async (t) => {
  const { ask } = await start(t, {
    'A many.example': Array.from({ length: 1_000 }, (_, n) => a(`1.1.${n >> 8}.${n & 255}`)),
    'AAAA many.example': Array.from({ length: 9 }, (_, n) => aaaa(`2606:4700::${n + 1}`)),
  });
  const { addresses = [] } = await ask('many.example');
  assert.equal(addresses.filter((address) => address.includes('.')).length, 4);
  assert.equal(addresses.length, 8);
});

test('a chain of names ends at its addresses', async (t) => {
  const { ask } = await start(t, {
    'A alias.example': [
      { type: 'CNAME', value: 'real.example' },
      { ...a('1.1.1.1'), name: 'real.example' },
    ],
  });
  assert.deepEqual(await ask('alias.example'), { addresses: ['1.1.1.1'] });
});

test('names that do not exist, have no address or whose server fails are not resolved', async (t) => {
  const { ask } = await start(t, {
    'A gone.example': 'NXDOMAIN',
    'AAAA gone.example': 'NXDOMAIN',
    'A broken.example': 'SERVFAIL',
    'AAAA broken.example': 'SERVFAIL',
    'A half.example': [a('1.1.1.1')],
    'AAAA half.example': 'SERVFAIL',
  });
  for (const name of ['gone.example', 'empty.example', 'broken.example']) {
    assert.deepEqual(await ask(name), unknown(name));
  }
  assert.deepEqual(await ask('half.example'), { addresses: ['1.1.1.1'] });
});

test('names are asked for as they are, without search domains', async (t) => {
  const { ask, questions } = await start(t, {});
  await ask('gone.example');
  assert.deepEqual(new Set(questions), new Set(['A gone.example', 'AAAA gone.example']));
});

test('a silent server is given up in time, and the answer for the other family is used', async (t) => {
  const table: Record<string, DnsReply> = {
    'A silent.example': 'silence',
    'AAAA silent.example': 'silence',
    'A half.example': [a('1.1.1.1')],
    'AAAA half.example': 'silence',
  };
  const { ask } = await start(t, table, { lookupMs: 200 });
  assert.deepEqual(await ask('silent.example'), late);
  assert.deepEqual(await ask('half.example'), { addresses: ['1.1.1.1'] });
});

test('a name whose server never answers does not hold up others', async (t) => {
  const table: Record<string, DnsReply> = {
    'A silent.example': 'silence',
    'AAAA silent.example': 'silence',
    'A well.example': [a('1.1.1.1')],
  };
  const { ask, questions } = await start(t, table, { lookupMs: 3_000, maxLookups: 2 });
  const silent = Array.from({ length: 50 }, () => ask('silent.example'));
  const well = ask('well.example');
  assert.deepEqual(await Promise.race([well, ...silent]), { addresses: ['1.1.1.1'] });
  assert.deepEqual(new Set((await Promise.all(silent)).map((each) => each.fault?.kind)), new Set(['timed out']));
  assert.ok(questions.filter((question) => question === 'A silent.example').length <= 3);
});

test('names that wait for a place are given up in time too', async (t) => {
  const { server } = await startDns(t, () => 'silence');
  const resolve = makeResolver({ rules: makeAddressRules([]), servers: [server], lookupMs: 150, maxLookups: 1 });
  const startedAt = performance.now();
  const hosts = Array.from({ length: 200 }, (_, n) => `silent${n}.example`);
  const found = await Promise.all(hosts.map((host) => resolve({ host, isAddress: false, isLocal: false })));
  assert.ok(found.every((each) => each.fault?.kind === 'timed out'));
  assert.ok(performance.now() - startedAt < 15_000, 'one after the other they would take 30 s');
});

test('an answer is cached for its time to live, at most a minute, and checked again afterwards', async (t) => {
  const clock = { time: 0, now: () => clock.time };
  const table: Record<string, DnsReply> = {
    'A short.example': [a('1.1.1.1', 10), a('1.0.0.1', 300)],
    'A long.example': [a('1.1.1.1', 86_400)],
    'A never.example': [a('1.1.1.1', 0)],
  };
  const { ask } = await start(t, table, { clock });
  for (const name of ['short.example', 'long.example', 'never.example']) {
    assert.ok((await ask(name)).addresses);
    table[`A ${name}`] = [a('127.0.0.1')];
  }
  assert.deepEqual(await ask('never.example'), notAllowed);
  clock.time = 9_999;
  assert.ok((await ask('short.example')).addresses);
  clock.time = 10_000;
  assert.deepEqual(await ask('short.example'), notAllowed);
  clock.time = 59_999;
  assert.ok((await ask('long.example')).addresses);
  clock.time = 60_000;
  assert.deepEqual(await ask('long.example'), notAllowed);
});

test('addresses are checked without a DNS query', async (t) => {
  const { resolve, questions } = await start(t, {});
  const ask = (host: string) => resolve({ host, isAddress: true, isLocal: false });
  assert.deepEqual(await ask('1.1.1.1'), { addresses: ['1.1.1.1'] });
  assert.deepEqual(await ask('2606:4700::1111'), { addresses: ['2606:4700::1111'] });
  assert.deepEqual(await ask('127.0.0.1'), notAllowed);
  assert.deepEqual(await ask('::1'), notAllowed);
  assert.deepEqual(questions, []);
});

test('names of the local network are resolved by the system, and checked like others', async (t) => {
  const ask = async (...opened: string[]) => {
    const { resolve, questions } = await start(t, {}, { rules: makeAddressRules(opened) });
    const found = await resolve({ host: 'localhost', isAddress: false, isLocal: true });
    assert.deepEqual(questions, []);
    return found;
  };
  const { addresses = [] } = await ask('127.0.0.0/8', '::1');
  assert.ok(addresses.length > 0 && addresses.every((address) => /^127\.|^::1$/.test(address)));
  assert.deepEqual(await ask('10.0.0.0/8'), notAllowed);
});

test('with no DNS server at all a name is not resolved', async () => {
  const resolve = makeResolver({ rules: makeAddressRules([]), servers: ['127.0.0.1:9'], lookupMs: 500 });
  const found = await resolve({ host: 'any.example', isAddress: false, isLocal: false });
  assert.deepEqual(found, unknown('any.example'));
});
