import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeAddressRules } from './address.ts';
import { type Endpoint, MAX_URL_LENGTH, NOT_ALLOWED, parseEndpoint } from './endpoint.ts';

const closed = makeAddressRules([]);
const everything = makeAddressRules(['0.0.0.0/0', '::/0']);

const refusalOf = (url: string, rules = closed) => parseEndpoint(url, rules).refusal?.text;

function requireEndpoint(url: string, rules = closed): Endpoint {
  const { endpoint, refusal } = parseEndpoint(url, rules);
  assert.ok(endpoint, `${url}: ${refusal?.text}`);
  return endpoint;
}

test('an address is taken apart as it will be requested', () => {
  assert.deepEqual(requireEndpoint('HTTPS://Hooks.Example.COM.:8443/a b?x=1&x=2#part'), {
    url: 'https://hooks.example.com.:8443/a%20b?x=1&x=2',
    isHttps: true,
    host: 'hooks.example.com',
    isAddress: false,
    isLocal: false,
    port: 8443,
    authority: 'hooks.example.com:8443',
    path: '/a%20b?x=1&x=2',
    warning: null,
  });
  const plain = requireEndpoint('http://example.com');
  assert.deepEqual([plain.port, plain.path, plain.isHttps], [80, '/', false]);
  assert.match(plain.warning ?? '', /Without https/);
  const literal = requireEndpoint('https://[2606:4700::1111]/');
  assert.deepEqual(
    [literal.host, literal.authority, literal.isAddress],
    ['2606:4700::1111', '[2606:4700::1111]', true],
  );
  assert.equal(requireEndpoint('https://bücher.example/ü').authority, 'xn--bcher-kva.example');
  assert.equal(requireEndpoint('http://example.com\\@127.0.0.1/').host, 'example.com');
  assert.equal(requireEndpoint('http://example.com/\r\nx: y').path, '/x:%20y');
});

test('loopback and private addresses are refused in every notation', () => {
  const hosts = [
    ...['127.0.0.1', '127.1', '2130706433', '0x7f.1', '017700000001', '0300.0250.0.1', '①②⑦.⓪.⓪.①', '127。0。0。1'],
    ...['127.0.0.1.', '0', '0.0.0.0', '127.255.255.254', '10.0.0.1', '169.254.169.254', '168.63.129.16', '0xa9fea9fe'],
    ...['[::1]', '[::]', '[::ffff:127.0.0.1]', '[::127.0.0.1]', '[::ffff:0:7f00:1]', '[::5efe:7f00:1]', '[fec0::1]'],
    ...['[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[2001:0:1::]', '[fe80::1]', '[fc00::1]'],
    ...['[fd00:ec2::254]', '[ff02::1]', '[100::1]', '[2001:db8::1]', '[3fff::1]', '[5f00::1]', '[4000::1]'],
  ];
  for (const host of hosts) {
    assert.equal(refusalOf(`http://${host}/`), NOT_ALLOWED, host);
    assert.equal(refusalOf(`https://${host}:8080/path?query`), NOT_ALLOWED, host);
  }
});

test('names of the local network are refused unless ranges are opened', () => {
  const names = [
    ...['localhost', 'LOCALHOST', 'localhost.', 'x.localhost', 'redis', 'db.', 'printer.local', 'ⓛocalhost'],
    ...['metadata.google.internal', 'metadata.google.internal.', 'api.INTERNAL', 'nas.home.arpa', 'a.localdomain'],
  ];
  for (const name of names) {
    assert.equal(refusalOf(`http://${name}/`), NOT_ALLOWED, name);
    assert.ok(requireEndpoint(`http://${name}/`, everything).isLocal, name);
  }
  for (const name of ['internal.example', 'local.example', 'mylocalhost.example', 'a.xn--p1ai']) {
    assert.ok(!requireEndpoint(`http://${name}/`).isLocal, name);
  }
});

test('metadata addresses are refused even when everything is opened', () => {
  for (const host of ['169.254.169.254', '0xa9.0xfe.43518', '[::ffff:169.254.169.254]', '[fd00:ec2::254]']) {
    assert.equal(refusalOf(`http://${host}/`, everything), NOT_ALLOWED, host);
  }
  assert.equal(requireEndpoint('http://127.1/', everything).host, '127.0.0.1');
});

test('malformed URLs get a clear error', () => {
  const cases: [url: string, words: RegExp][] = [
    ['', /not a complete URL/],
    ['example.com/hook', /not a complete URL/],
    ['http://', /not a complete URL/],
    ['http://[fe80::1%25eth0]/', /not a complete URL/],
    ['http://256.256.256.256/', /not a complete URL/],
    ['http://example.com:65536/', /not a complete URL/],
    ['http://exa mple.com/', /not a complete URL/],
    ['ftp://example.com/', /https:\/\/ or http:\/\//],
    ['file:///etc/passwd', /https:\/\/ or http:\/\//],
    ['unix:/var/run/docker.sock', /https:\/\/ or http:\/\//],
    ['javascript:alert(1)', /https:\/\/ or http:\/\//],
    ['http://a@127.0.0.1/', /user name or password/],
    ['https://user:secret@example.com/', /user name or password/],
    ['https://:secret@example.com/', /user name or password/],
    ['https://example.com:0/', /Port 0/],
    ['https://example..com/', /no valid host name/],
    ['https://example.com../', /no valid host name/],
    [`https://${'a'.repeat(64)}.example/`, /no valid host name/],
    [`https://${'a.'.repeat(127)}example/`, /no valid host name/],
    ["https://a'b.example/", /no valid host name/],
  ];
  for (const [url, words] of cases) assert.match(refusalOf(url) ?? 'accepted', words, url);
});

test('an address has at most 2,048 characters, as it is typed and as it is sent', () => {
  const start = 'https://example.com/';
  const withLength = (length: number) => start + 'a'.repeat(length - start.length);
  assert.equal(MAX_URL_LENGTH, 2_048);
  assert.equal(refusalOf(withLength(2_047)), undefined);
  assert.equal(refusalOf(withLength(2_048)), undefined);
  assert.match(refusalOf(withLength(2_049)) ?? '', /at most 2,048 characters/);
  assert.match(refusalOf(withLength(2_000_000)) ?? '', /at most 2,048 characters/);
  assert.match(refusalOf(`${start}${'ü'.repeat(400)}`) ?? '', /at most 2,048 characters/);
  assert.equal(parseEndpoint(withLength(2_049), closed, 4_096).refusal, undefined);
});
