import assert from 'node:assert/strict';
import { test } from 'node:test';
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
