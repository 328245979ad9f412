import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DnsReply, startDns } from '../../../test/support/dns.ts';
import { checkDomain, checkMailDomain, nameInSpf } from './dns.ts';

test('a custom domain leads here, elsewhere or nowhere', async (t) => {
  const table: Record<string, DnsReply> = {
    'A ideas.example': [{ type: 'A', value: '203.0.113.7' }],
    'AAAA ideas.example': [{ type: 'AAAA', value: '2001:db8::7' }],
    'A other.example': [{ type: 'A', value: '203.0.113.8' }],
    'A feedback.example': [{ type: 'A', value: '203.0.113.7' }],
    'A gone.example': 'NXDOMAIN',
    'AAAA gone.example': 'NXDOMAIN',
  };
  const { server } = await startDns(t, (name, type) => table[`${type} ${name}`] ?? []);
  const check = (host: string) => checkDomain(host, 'feedback.example', { servers: [server] });
  assert.deepEqual(await check('ideas.example'), { addresses: ['203.0.113.7', '2001:db8::7'], isHere: true });
  assert.deepEqual(await check('other.example'), { addresses: ['203.0.113.8'], isHere: false });
  assert.deepEqual(await check('gone.example'), { addresses: [], isHere: false });
});

test('the lines for mail are found among others, and shown in part', async (t) => {
  const table: Record<string, DnsReply> = {
    'TXT acme.example': [
      { type: 'TXT', value: 'google-site-verification=x' },
      { type: 'TXT', value: 'v=spf1 a:smtp.acme.example ~all' },
    ],
    'TXT _dmarc.acme.example': [{ type: 'TXT', value: 'v=DMARC1; p=none' }],
    'TXT many.example': Array.from({ length: 9 }, () => ({ type: 'TXT', value: `v=spf1 ${'x'.repeat(200)}` }) as const),
  };
  const { server } = await startDns(t, (name, type) => table[`${type} ${name}`] ?? []);
  const check = (domain: string) => checkMailDomain(domain, { servers: [server] });
  assert.deepEqual(await check('acme.example'), {
    spf: ['v=spf1 a:smtp.acme.example ~all'],
    dmarc: ['v=DMARC1; p=none'],
  });
  assert.equal((await check('many.example'))?.spf.length, 5);
  assert.deepEqual(await check('none.example'), { spf: [], dmarc: [] });
});

test('SPF names a mail server by its name or its address, and a relay by where that publishes its hosts', () => {
  const table: [server: string, spf: string | null][] = [
    ['smtp.acme.example', 'a:smtp.acme.example'],
    ['8.8.4.4', 'ip4:8.8.4.4'],
    ['2606:4700::1', 'ip6:2606:4700::1'],
    ['smtp-relay.gmail.com', 'include:_spf.google.com'],
    ['smtp.office365.com', 'include:spf.protection.outlook.com'],
    ['email-smtp.eu-west-1.amazonaws.com', 'include:amazonses.com'],
    ['smtp.gmail.com.acme.example', 'a:smtp.gmail.com.acme.example'],
    // What others see of these is not known here.
    ...['127.0.0.1', '10.0.0.5', '::1', 'localhost', 'mail', 'mail.internal'].map((each): [string, null] => [
      each,
      null,
    ]),
  ];
  for (const [server, spf] of table) assert.equal(nameInSpf(server), spf, server);
});

test('a server that does not respond holds up nothing', async (t) => {
  const { server } = await startDns(t, () => 'silence');
  const from = performance.now();
  assert.equal(await checkDomain('ideas.example', 'feedback.example', { servers: [server], limitMs: 300 }), null);
  assert.ok(performance.now() - from < 2_000);
});
