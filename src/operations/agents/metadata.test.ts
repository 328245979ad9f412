import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answering, startPair } from '../../../test/support/dialler.ts';
import { readCertificate } from '../../../test/support/raw-receiver.ts';
import type { AppError } from '../../platform/errors.ts';
import { describeTarget, fetchMetadata, readMetadata } from './metadata.ts';

const refused = ({ code }: AppError) => code === 'BAD_REQUEST';

test('addresses to which a client is answered are of the web by https, of this device, or of an app', () => {
  for (const address of [
    'https://claude.ai/api/mcp/auth_callback',
    'http://localhost:33418/callback',
    'http://127.0.0.1/',
    'http://[::1]:1/',
    'cursor://anysphere.cursor-retrieval/oauth/callback',
    'com.example.app:/oauth',
  ]) {
    assert.deepEqual(readMetadata(JSON.stringify({ redirect_uris: [address] })).redirect_uris, [address]);
  }
  for (const address of [
    'http://claude.ai/',
    'http://localhost.evil.example/',
    'http://127.0.0.1@evil.example/',
    'https://claude.ai@evil.example/',
    // These lead on to a website, or do something else.
    'microsoft-edge:https://evil.example/',
    'x-safari-https://evil.example/',
    'googlechrome://navigate?url=https://evil.example/',
    'intent://evil.example/#Intent;end',
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'mailto:eve@evil.example',
      'ftp://evil.example/',
    ],
    ...[
      'ms-word:ofe|u|https://evil.example/',
      'search-ms:query=x',
      'view-source:https://evil.example/',
      'wss://evil.example/',
    ],
    '/callback',
    '',
    7,
  ]) {
    assert.throws(() => readMetadata(JSON.stringify({ redirect_uris: [address] })), refused, String(address));
  }
});

test('the owner is told where the answer goes', () => {
  const of = (address: string) => describeTarget(address);
  assert.deepEqual(of('https://claude.ai/x'), { host: 'claude.ai', isOnThisDevice: false });
  assert.deepEqual(of('https://аpple.com/x'), { host: 'xn--pple-43d.com', isOnThisDevice: false });
  assert.deepEqual(of('http://127.0.0.1:8080/x'), { host: '127.0.0.1:8080', isOnThisDevice: true });
  assert.deepEqual(of('cursor://x'), { host: 'cursor', isOnThisDevice: true });
});

const pem = readCertificate('good');
const TLS = { tls: { key: pem, cert: pem } };
const URL_OF = 'https://hooks.example.com/client.json';

function response(status: string, body: object | string, more = ''): string {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return `HTTP/1.1 ${status}\r\n${more}content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

test('metadata at an address is read with what is used of it, and with how long it may be kept', async (t) => {
  const sent = {
    client_id: URL_OF,
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/callback'],
    sector_identifier_uri: 'https://evil.example/',
    jwks_uri: 'https://evil.example/',
    token_endpoint_auth_method: 'private_key_jwt',
  };
  const script = { ...answering(response('200 OK', sent, 'cache-control: max-age=600\r\n')), ...TLS };
  const { dial, url } = await startPair(t, script, { ca: readCertificate('authority') });
  const read = await fetchMetadata(dial, '1', url);
  assert.equal(read.headers.get('cache-control'), 'max-age=600');
  const { client_id, client_name, redirect_uris, application_type, ...rest } = await read.json();
  assert.deepEqual(
    [client_id, client_name, redirect_uris, application_type],
    [URL_OF, 'Claude', sent.redirect_uris, 'web'],
  );
  assert.deepEqual(rest, {
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  });
});

for (const [what, answer] of Object.entries({
  'a failure': response('500 Oops', {}),
  'a redirect': response('302 Found', '', 'location: https://evil.example/\r\n'),
  'no JSON': response('200 OK', '<html>'),
  'no addresses': response('200 OK', { client_id: URL_OF }),
  'an address that is not allowed': response('200 OK', { client_id: URL_OF, redirect_uris: ['http://evil.example/'] }),
})) {
  test(`metadata is refused when it is ${what}`, async (t) => {
    const script = { ...answering(answer), ...TLS };
    const { dial, url } = await startPair(t, script, { ca: readCertificate('authority') });
    await assert.rejects(fetchMetadata(dial, '1', url));
  });
}
