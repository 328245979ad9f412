import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { makeAddressReader } from './address.ts';
import { networkOf } from './ip.ts';

const PROXY = '10.0.0.9';

function addressBehind(trusted: number | string[], forwarded: string | undefined, remoteAddress = PROXY): string {
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return makeAddressReader(trusted)({ socket: { remoteAddress }, headers } as IncomingMessage);
}

/** What proxies were seen to send, the client's address as it must be understood, and its network. */
const forwarded: readonly (readonly [by: string, header: string, address: string, network: string])[] = [
  ['nginx 1.22, Caddy 2.6, HAProxy 2.6', '203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['Azure Application Gateway, IIS ARR 3', '203.0.113.7:41234', '203.0.113.7', '203.0.113.7'],
  ['Azure Application Gateway, IPv6', '[2001:db8::1]:443', '2001:db8::1', '2001:db8:0:0'],
  ['brackets without a port', '[2001:db8::1]', '2001:db8::1', '2001:db8:0:0'],
  ['nginx 1.22, IPv6', '2001:db8::1', '2001:db8::1', '2001:db8:0:0'],
  ['a socket for both families', '::ffff:203.0.113.7', '203.0.113.7', '203.0.113.7'],
  ['a socket for both families, with a port', '[::ffff:203.0.113.7]:5000', '203.0.113.7', '203.0.113.7'],
  ['spaces and an empty element', ' , 203.0.113.7 , ', '203.0.113.7', '203.0.113.7'],
  ['Squid 5 with forwarded_for off', 'unknown', 'unknown', 'unknown'],
  ['no address', '_hidden', 'unknown', 'unknown'],
  ['no address', '999.1.1.1:80', 'unknown', 'unknown'],
  ['a name', 'client.example', 'unknown', 'unknown'],
];

test('an address is read as proxies write it, without port and brackets', () => {
  for (const [by, header, address, network] of forwarded) {
    for (const trusted of [1, [PROXY], ['10.0.0.0/8']]) {
      const read = addressBehind(trusted, header);
      assert.deepEqual([read, networkOf(read)], [address, network], `${by}: ${header}`);
    }
  }
});

test('only the entries of trusted proxies count, the nearest last', () => {
  const chain = '198.51.100.9, 203.0.113.5:1024, 10.0.0.8:999';
  const rows: [number | string[], string | undefined, string][] = [
    [0, chain, PROXY],
    [1, chain, '10.0.0.8'],
    [2, chain, '203.0.113.5'],
    [9, chain, '198.51.100.9'],
    [['10.0.0.0/8'], chain, '203.0.113.5'],
    [['10.0.0.9'], chain, '10.0.0.8'],
    [['192.0.2.1'], chain, PROXY],
    [['10.0.0.0/8', '203.0.113.0/24'], chain, '198.51.100.9'],
    [['10.0.0.0/8'], '198.51.100.9, bad', 'unknown'],
    [3, undefined, PROXY],
    [3, '', PROXY],
  ];
  for (const [trusted, header, address] of rows) {
    assert.equal(addressBehind(trusted, header), address, `${trusted}: ${header}`);
  }
  // Further ones are not followed: the address is that of a proxy, and no one can choose it.
  const ofProxies = (count: number) => `198.51.100.9${', 10.0.0.8'.repeat(count)}`;
  assert.equal(addressBehind(['10.0.0.0/8'], ofProxies(98)), '198.51.100.9');
  assert.equal(addressBehind(['10.0.0.0/8'], ofProxies(99)), '10.0.0.8');
  assert.equal(addressBehind(0, undefined, '::ffff:192.0.2.4'), '192.0.2.4');
  assert.equal(addressBehind(['192.0.2.4'], '203.0.113.7', '::ffff:192.0.2.4'), '203.0.113.7');
});
