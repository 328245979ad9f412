import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { base64Of, makeSigningSecret } from './secret.ts';
import { signatureHeaders } from './signature.ts';

const stamp = { id: '019a-id', timestampSeconds: 1_790_000_000 };
const escaped = String.raw`{"event":"post.created","data":{"text":"\ud83c\udf12 \u2028 \u0000 \ud800 \u007f"}}`;
const raw = '{"t":"🌒 \u2028 \u007f"}';

/** Computed with Python's hmac module. */
const vectors: [secret: string, body: string, hex: string, base64: string][] = [
  [
    'secret',
    escaped,
    'ec19f71e8e9930a5b164626ce94fbbdb44299b02401c7934634ca2bbaf16751e',
    'mnJDuH9I5K363eLtA4LwbtAuaVbrcbu+hUATFkEHiN8=',
  ],
  [
    '  a secret with spaces  ',
    escaped,
    '4c940b12aac2d8091542bd4ec9ecf7b7a206a8c804f838b6214ef3e41a1b4c13',
    'ecf05ZeL7O+UAIp2L+ZFUL1Jd/JH/3sqKRBrvhFmaX4=',
  ],
  [
    '🌒 schlüssel',
    escaped,
    'd2c5eb4b15ba40e4f089294cecb8254f79f0497a94722b45ebb934d696f1ac48',
    'JoAE3HcwxG23qsHJ2ONHHtK1xv7QnE3b3Sa6P4gA2/0=',
  ],
  [
    '0123456789'.repeat(20),
    escaped,
    'c0756611f22be29626118ad532de842777508da575db69aba7ab4d9511c4e9db',
    'JjBCburIfXUVRStbz6luc4PBGHujym+CiRhO2i77YzA=',
  ],
  [
    '0000042',
    escaped,
    '5d32f1cfd2946b7a317ca01fbfd5f5d0b22cd9048c6407e484f8295b7e1e38ed',
    'zxYZtFL96e2HGTvqsmJHBtl0tdEpqP6XgHgRZI9+iO0=',
  ],
  [
    'secret',
    raw,
    '6237e066b6d89ff2f7c4327381e4d8c30600489808e642fa9c5852473f26b5c0',
    'CQiVsj8fJwpG6Jjht38NpayXeX7TEuNyS8kLA/a+puw=',
  ],
  [
    '🌒 schlüssel',
    raw,
    '3ea59fff5071d31618d090b5ce1769446f7fe842609032db856121830dcc1506',
    'cvmx+/+uJRBU5iqtFI7rGdxFXW2opKv8wMtx/YYdV4U=',
  ],
];

test('a message is signed with the bytes of the secret as they are', () => {
  for (const [secret, body, hex, base64] of vectors) {
    assert.deepEqual(
      signatureHeaders(Buffer.from(body), secret, stamp),
      {
        'X-Hub-Signature': `sha256=${hex}`,
        'X-Hub-Signature-256': `sha256=${hex}`,
        'webhook-id': '019a-id',
        'webhook-timestamp': '1790000000',
        'webhook-signature': `v1,${base64}`,
      },
      secret,
    );
  }
});

test('a secret of Standard Webhooks signs with its bytes, then with its text; X-Hub-Signature with its text', () => {
  // Computed with Python's hmac and base64 modules; the secret is that of the specification's examples.
  const hex = 'sha256=6f6f6734ec1cc347bf46531d63167be11f2d4d1989d26755c868321678e4e120';
  assert.deepEqual(signatureHeaders(Buffer.from(escaped), 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', stamp), {
    'X-Hub-Signature': hex,
    'X-Hub-Signature-256': hex,
    'webhook-id': '019a-id',
    'webhook-timestamp': '1790000000',
    'webhook-signature':
      'v1,xYn4SQzF9jBZ+w1/DTct26re9LsmPiWrD8jIYKtC8KI= v1,mguOYD3X66uHdoY4th+8lvSrboUMnnnOXQOKWkYH5XY=',
  });
});

test('a generated secret is one for the library of Standard Webhooks, as it is', () => {
  const secret = makeSigningSecret();
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(makeSigningSecret(), secret);
  const now = { id: 'a', timestampSeconds: Math.floor(Date.now() / 1_000) };
  const headers = signatureHeaders(Buffer.from(escaped), secret, now);
  assert.deepEqual(new Webhook(secret).verify(escaped, headers), JSON.parse(escaped));
  assert.throws(() => new Webhook(makeSigningSecret()).verify(escaped, headers), /No matching signature/);
  assert.deepEqual(new Webhook(secret, { format: 'raw' }).verify(escaped, headers), JSON.parse(escaped));
});

test('only whsec_ and base64 is a secret of Standard Webhooks; any other text signs once, as it is', () => {
  for (const text of ['abcd', 'ab==', 'abc=', 'abc', '+/+/', 'A'.repeat(86)])
    assert.equal(base64Of(`whsec_${text}`), text);
  for (const text of ['', 'a', 'abcde', 'ab=c', 'a===', 'ab-_', 'ab cd', 'äbcd', 'ab==\n']) {
    assert.equal(base64Of(`whsec_${text}`), null, text);
    assert.equal(signatureHeaders(Buffer.from(raw), `whsec_${text}`, stamp)['webhook-signature']?.split(' ').length, 1);
  }
  for (const secret of ['abcd', 'WHSEC_abcd', ' whsec_abcd', 'whpk_abcd']) assert.equal(base64Of(secret), null, secret);
});

test('without a secret, or with an empty one, a message is named but not signed', () => {
  for (const secret of [null, '']) {
    assert.deepEqual(signatureHeaders(Buffer.from(escaped), secret, stamp), {
      'webhook-id': '019a-id',
      'webhook-timestamp': '1790000000',
    });
  }
});
