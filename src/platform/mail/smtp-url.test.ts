import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../config.ts';
import { readSmtpUrl } from './smtp-url.ts';

test('the host of a mail server is named without its port, for SPF', () => {
  for (const [url, host, port] of [
    ['smtp://me:secret@mail.example.com:2525', 'mail.example.com', 2525],
    ['smtp://mail.example.com', 'mail.example.com', 587],
    ['smtps://mail.example.com', 'mail.example.com', 465],
    ['smtp://[2001:db8::1]:25', '2001:db8::1', 25],
  ] as const) {
    const target = readSmtpUrl(url);
    assert.deepEqual([target.host, target.port], [host, port], url);
  }
});

test('SMTP_URL with an unescaped password is refused, and options are accepted', () => {
  for (const password of ['12#3', '12/3', '12?3', 'x#']) {
    const smtpUrl = `smtp://me:${password}@mail.example.com:587`;
    assert.throws(() => readConfig({ SMTP_URL: smtpUrl }), /SMTP_URL: the value is not allowed.*# is %23/, password);
  }
  for (const url of [
    'smtp://me:p@ss:word@mail.example.com',
    'smtps://me:12%233@mail.example.com/',
    'smtp://mail?tls.rejectUnauthorized=false&tls.ciphers=DEFAULT@SECLEVEL=0:HIGH',
  ]) {
    assert.equal(readConfig({ SMTP_URL: url }).smtpUrl, url);
  }
});
