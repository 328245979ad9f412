import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { checkSignature, type SignatureCheck } from './signature-check.ts';

const SECRET = 'whsec_abc123==';
const BODY = '{"event":"test","data":{"text":"Gr\\u00fcn","url":"http://a/b"}}';
const VALUE = JSON.parse(BODY);

function digest(body: string, secret: string | Buffer = SECRET): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function check(given: { body?: string; header?: string; secret?: string; saved?: string[] }): SignatureCheck {
  return checkSignature({ body: BODY, header: `sha256=${digest(BODY)}`, secret: SECRET, saved: [], ...given });
}

test('a signature that is right matches, by the pasted secret or by the saved one', () => {
  assert.equal(check({}).result, 'match');
  assert.equal(check({ secret: '', saved: [SECRET] }).result, 'match');
  assert.equal(check({ secret: '', saved: ['old', SECRET] }).result, 'match');
  assert.equal(check({ body: 'a\r\nb', header: `sha256=${digest('a\nb')}` }).result, 'match', 'as a form sends it');
});

test('what differs in the body is named', () => {
  const cases: [body: string, SignatureCheck['body']][] = [
    [`${BODY}\n`, 'newlineAdded'],
    [` ${BODY} `, 'spacesAround'],
    [`\ufeff${BODY}`, 'byteOrderMark'],
    [JSON.stringify(VALUE), 'reencoded'],
    [JSON.stringify(VALUE, null, 2), 'reencoded'],
  ];
  for (const [body, found] of cases) {
    const { result, body: finding } = check({ body });
    assert.deepEqual([result, finding], ['fits', found], body);
  }
  const computed: [body: string, SignatureCheck['body']][] = [
    [`${BODY}\n`, 'newlineMissing'],
    [JSON.stringify(VALUE), 'unescaped'],
    [JSON.stringify(VALUE, null, 4), 'pretty'],
    [BODY.replaceAll('/', '\\/'), 'slashesEscaped'],
    [BODY.replaceAll('":', '": ').replaceAll(',"', ', "'), 'reencoded'],
    ['', 'empty'],
  ];
  for (const [hashed, found] of computed) {
    const { result, body: finding } = check({ header: `sha256=${digest(hashed)}` });
    assert.deepEqual([result, finding], ['fits', found], hashed);
  }
  assert.equal(check({ body: 'a\nb', header: `sha256=${digest('a\r\nb')}` }).body, 'crlf');
});

test('what differs in the secret is named', () => {
  const header = (secret: string | Buffer) => `sha256=${digest(BODY, secret)}`;
  assert.equal(check({ secret: ` ${SECRET}` }).secret, 'spacesAround');
  assert.equal(check({ header: header(`${SECRET}\n`) }).secret, 'newlineAdded');
  assert.equal(check({ header: header('abc123==') }).secret, 'prefixed');
  assert.equal(check({ header: header(Buffer.from('abc123==', 'base64')) }).secret, 'base64Decoded');
  assert.equal(check({ secret: 'c0ffee', header: header(Buffer.from('c0ffee', 'hex')) }).secret, 'hexDecoded');
  assert.equal(check({ secret: 'another', saved: ['old', SECRET] }).secret, 'saved');
});

test('what differs in the header is named', () => {
  const hex = digest(BODY);
  const cases: [header: string, result: SignatureCheck['result'], SignatureCheck['header']][] = [
    [` sha256=${hex} `, 'match', []],
    [`X-Hub-Signature: sha256=${hex}`, 'fits', ['withName']],
    [hex, 'fits', ['noPrefix']],
    [`sha256=${hex.toUpperCase()}`, 'fits', ['upperCase']],
    [`sha256=${Buffer.from(hex, 'hex').toString('base64')}`, 'fits', ['base64']],
    [Buffer.from(hex, 'hex').toString('base64url'), 'fits', ['noPrefix', 'base64']],
    ['', 'header', ['empty']],
    [`sha1=${hex.slice(0, 40)}`, 'header', ['sha1']],
    [`v1,${Buffer.from(hex, 'hex').toString('base64')}`, 'header', ['standard']],
    ['sha256=abc', 'header', ['unreadable']],
  ];
  for (const [header, result, findings] of cases) {
    const found = check({ header });
    assert.deepEqual([found.result, found.header], [result, findings], header);
  }
});

test('an inexplicable signature matches nothing, and the expected one is shown', () => {
  const found = check({ body: 'something else' });
  assert.deepEqual([found.result, found.body, found.secret], ['nothing', null, null]);
  assert.equal(found.expected, `sha256=${digest('something else')}`);
  assert.equal(check({ secret: '' }).expected, null);
});
