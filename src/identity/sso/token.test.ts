import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import jsonwebtoken from 'jsonwebtoken';
import { checkToken, MAX_TOKEN, type TokenRules } from './token.ts';

const NOW = Date.parse('2026-11-21T09:30:00.000Z');
const NOW_S = NOW / 1_000;
const SECRET = 'a secret of a board, as it makes them';
const SECRETS: TokenRules = {
  keys: { secrets: [SECRET] },
  isExpiryOptional: false,
  isRoleAllowed: true,
  attributeClaims: ['company', 'seats'],
};
const LATER = { exp: NOW_S + 300 };

/** As servers of customers make them. */
function sign(claims: object, secret = SECRET, options: jsonwebtoken.SignOptions = {}): string {
  return jsonwebtoken.sign(claims, secret, { algorithm: 'HS256', noTimestamp: true, ...options });
}

/** With any header, and a signature that fits. */
function signRaw(header: object, claims: object | string, secret = SECRET): string {
  const parts = [JSON.stringify(header), typeof claims === 'string' ? claims : JSON.stringify(claims)];
  const signed = parts.map((part) => Buffer.from(part).toString('base64url')).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

const personOf = async (token: string, rules = SECRETS) => {
  const { person, refusal } = await checkToken(token, rules, NOW);
  assert.equal(refusal?.text, undefined);
  return person;
};
const refusalOf = async (token: string, rules = SECRETS) =>
  (await checkToken(token, rules, NOW)).refusal?.text ?? 'accepted';

test('a role counts only where the board allows that, and an exp in milliseconds is noticed', async () => {
  const token = sign({ id: 1, role: 'ADMIN', exp: NOW });
  const allowed = await personOf(token);
  assert.deepEqual([allowed?.role, allowed?.notes.length], ['ADMIN', 1]);
  const person = await personOf(token, { ...SECRETS, isRoleAllowed: false });
  assert.equal(person?.role, null);
  assert.match(person?.notes.map(({ text }) => text).join() ?? '', /in milliseconds.*may not give roles/);
});

test('ids are texts or whole numbers, by any of their names', async () => {
  const accepted: [claims: object, id: string][] = [
    [{ id: 'u1' }, 'u1'],
    [{ id: 42 }, '42'],
    [{ id: 0 }, '0'],
    [{ sub: 'auth0|5f7c' }, 'auth0|5f7c'],
    [{ userId: 'x', sub: 'y' }, 'y'],
    [{ id: '', sub: 'y' }, 'y'],
    [{ id: null, userId: '7' }, '7'],
    [{ id: 'ü'.repeat(255) }, 'ü'.repeat(255)],
  ];
  for (const [claims, id] of accepted) {
    assert.equal((await personOf(sign({ ...claims, ...LATER })))?.id, id, JSON.stringify(claims));
  }
  for (const claims of [
    {},
    { id: '' },
    { id: '  ' },
    { id: 1.5 },
    { id: 1e300 },
    { id: true },
    { id: ['a'] },
    { id: {} },
    { id: 'a'.repeat(256) },
    { id: 'a\0b' },
  ]) {
    assert.match(
      await refusalOf(sign({ ...claims, ...LATER })),
      /must have the id of the user/,
      JSON.stringify(claims),
    );
  }
});

test('an odd profile does not keep a user from signing in', async () => {
  const person = await personOf(
    sign({ id: 1, name: '', email: 'no address', imageUrl: 'javascript:alert(1)', role: 'owner', ...LATER }),
  );
  assert.deepEqual(person?.profile, {});
  assert.equal(person?.role, null);
  assert.equal(person?.notes.length, 3);
  const full = {
    name: 'n'.repeat(500),
    email: 'Ada@Example.com',
    avatarURL: 'https://example.com/a.png',
    noltUserRole: 'admin',
  };
  const known = await personOf(sign({ id: 1, ...full, company: 'Acme', seats: 12, plan: 'x', ...LATER }));
  assert.equal([...(known?.profile.name ?? '')].length, 100);
  assert.equal(known?.profile.email, 'ada@example.com');
  assert.equal(known?.profile.imageUrl, 'https://example.com/a.png');
  assert.equal(known?.role, 'ADMIN');
  assert.deepEqual(known?.attributes, { company: 'Acme', seats: 12 });
  assert.deepEqual(known?.notes, []);
});

test('times are checked with a minute of leeway', async () => {
  const times: [claims: object, words: RegExp][] = [
    [{ exp: NOW_S - 59 }, /accepted/],
    [{ exp: NOW_S - 60 }, /expired 60 s ago/],
    [{ exp: NOW_S - 61 }, /expired 61 s ago/],
    [{ ...LATER, nbf: NOW_S + 60 }, /accepted/],
    [{ ...LATER, nbf: NOW_S + 61 }, /not valid for another 61 s/],
    [{ ...LATER, iat: NOW_S + 60 }, /accepted/],
    [{ ...LATER, iat: NOW_S + 61 }, /issued in the future/],
    [{}, /has no exp/],
  ];
  for (const [claims, words] of times) {
    assert.match(await refusalOf(signRaw({ alg: 'HS256' }, { id: 1, ...claims })), words, JSON.stringify(claims));
  }
  assert.match(await refusalOf(signRaw({ alg: 'HS256' }, { id: 1, exp: 'soon' })), /exp must be a number/);
  assert.match(await refusalOf(signRaw({ alg: 'HS256' }, { id: 1, ...LATER, iat: 'now' })), /iat/);
  assert.equal(await refusalOf(sign({ id: 1 }), { ...SECRETS, isExpiryOptional: true }), 'accepted');
});

test('the board decides the algorithm, and what is signed otherwise is refused with a reason', async () => {
  const claims = { id: 1, ...LATER };
  assert.equal(await refusalOf(signRaw({ alg: 'HS256' }, claims)), 'accepted', 'without typ');
  assert.match(await refusalOf(sign(claims, 'the secret of another board')), /signature is wrong/);
  assert.match(
    await refusalOf(sign(claims, SECRET, { algorithm: 'HS512' })),
    /signed with HS512, and this board expects HS256/,
  );
  assert.match(await refusalOf(jsonwebtoken.sign(claims, '', { algorithm: 'none' })), /signed with none/);
  assert.match(await refusalOf(signRaw({ alg: 'x'.repeat(1_000) }, claims)), /signed with x{19}…,/);
  assert.notEqual(await refusalOf(signRaw({ alg: 'HS256', crit: ['b64'], b64: false }, claims)), 'accepted');
  for (const broken of [
    '',
    'a',
    'a.b',
    'a.b.c',
    '..',
    '{}',
    'é.é.é',
    `${sign(claims)}.x`,
    sign(claims).slice(0, -30),
  ]) {
    assert.notEqual(await refusalOf(broken), 'accepted', broken);
  }
  for (const body of ['[]', 'null', '1', '"a"', '{', '\ud800']) {
    assert.notEqual(await refusalOf(signRaw({ alg: 'HS256' }, body)), 'accepted', body);
  }
});

test('tokens are as long as an address can be', async () => {
  const empty = sign({ id: 1, ...LATER, x: '' }).length;
  const fill = (length: number) => signRaw({ alg: 'HS256', typ: 'JWT' }, { id: 1, ...LATER, x: 'x'.repeat(length) });
  let length = Math.floor(((MAX_TOKEN - empty) * 3) / 4) - 3;
  while (fill(length + 1).length <= MAX_TOKEN) length++;
  assert.equal(await refusalOf(fill(length)), 'accepted');
  assert.match(await refusalOf(fill(length + 1)), /more than 8,000 characters/);
  assert.match(await refusalOf('x'.repeat(10_000_000)), /more than 8,000 characters/);
});

test('while a secret is changed, two of them count', async () => {
  const both: TokenRules = { ...SECRETS, keys: { secrets: ['the new one', SECRET] } };
  assert.equal(await refusalOf(sign({ id: 1, ...LATER }), both), 'accepted');
  assert.equal(await refusalOf(sign({ id: 1, ...LATER }, 'the new one'), both), 'accepted');
  for (const secret of ['the new one', SECRET]) {
    assert.match(await refusalOf(sign({ id: 1, exp: 1 }, secret), both), /expired/, 'the reason of the one that fits');
  }
  assert.match(await refusalOf(sign({ id: 1, ...LATER }), { ...SECRETS, keys: { secrets: [] } }), /no secret yet/);
});

for (const alg of ['RS256', 'ES256', 'EdDSA']) {
  test(`tokens of ${alg} are checked with published keys, and with nothing else`, async () => {
    const [own, other] = [await generateKeyPair(alg), await generateKeyPair(alg)];
    const publicKey = await exportJWK(own.publicKey);
    const rules: TokenRules = { ...SECRETS, keys: { jwks: { keys: [{ ...publicKey, kid: 'a', alg }] } } };
    const signed = (key: CryptoKey, kid: string, claims: JWTPayload = { id: 1, ...LATER }) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
    assert.equal(await refusalOf(await signed(own.privateKey, 'a'), rules), 'accepted');
    assert.match(await refusalOf(await signed(other.privateKey, 'a'), rules), /signature is wrong/);
    assert.match(await refusalOf(await signed(own.privateKey, 'b'), rules), /No published key/);
    // The public key as if it were a shared secret.
    assert.match(await refusalOf(sign({ id: 1, ...LATER }, JSON.stringify(publicKey)), rules), /signed with HS256/);
    assert.match(await refusalOf(await signed(own.privateKey, 'a'), SECRETS), /this board expects HS256/);
  });
}
