import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMail } from '../../../test/support/mail-in.ts';
import { readMessage } from './message.ts';
import { textOf } from './text.ts';

test('only the pictures in the text that is left are named', async () => {
  const { pictures } = textOf(await readMessage(readMail('clients/apple-mail')));
  assert.deepEqual([...pictures], ['PIC-1@example.com']);
});

test('a mail that is forwarded keeps what it forwards', () => {
  const html =
    '<div>See below</div><div class="gmail_quote">---------- Forwarded message ---------<br>We need SSO</div>';
  assert.match(textOf({ subject: 'Fwd: SSO', text: null, html }).text, /See below[\s\S]*We need SSO/);
  assert.equal(textOf({ subject: 'SSO', text: null, html }).text, 'See below');
});

test('texts made to keep the server busy are left as they are, or as their text part', () => {
  const texts = ['Op schreef\n'.repeat(3_600), `On ${' '.repeat(39_000)}`, `${'>'.repeat(39_000)}\nOn x wrote:`];
  for (const text of texts) assert.equal(typeof textOf({ subject: 'x', text, html: null }).text, 'string');
  const pages = ['<div>'.repeat(70_000), '<b>a '.repeat(50_000), `<a href="${'x'.repeat(500_000)}">x</a>`];
  for (const html of pages) assert.equal(textOf({ subject: 'x', text: 'plain', html }).text, 'plain');
});

test('HTML that does something becomes text that does nothing', () => {
  const html =
    '<p>Hi<script>alert(1)</script><img src="https://spy.example/x.gif"><img src=x onerror=alert(1)>' +
    '<a href="javascript:alert(1)">click</a> <a href="https://ok.example/">fine</a><iframe src="//x"></iframe>' +
    '<svg onload=alert(1)></svg><form action="//x"><input name=a><button>Go</button></form></p>';
  assert.equal(textOf({ subject: 'x', text: null, html }).text, 'Hiclick [fine](https://ok.example/)');
});

test('HTML that is too much becomes text, and what is written within a quote counts if nothing else is', () => {
  const deep = `${'<div>'.repeat(300)}<p>One &amp; two</p><style>p{}</style><b>three</b>`;
  assert.equal(textOf({ subject: 'x', text: null, html: deep }).text, 'One & two\nthree');
  const quoted = '<div class="gmail_quote">Hi</div>';
  assert.equal(textOf({ subject: 'x', text: 'Hi', html: quoted }).text, 'Hi');
});

test('lines that programs write in one language or another are cut', () => {
  const read = (text: string) => textOf({ subject: 'Re: x', text, html: null }).text;
  const below = [
    'Sent with Proton Mail',
    'Enviado do meu iPhone',
    'iPhoneから送信',
    '发自我的iPhone',
    'Inviato da Outlook',
  ];
  for (const line of below) assert.equal(read(`Yes.\n\n${line}\n`), 'Yes.', line);
  const above = [
    '20.11.2026 klo 9.30 Acme <news@example.org> kirjoitti:',
    '20 Nov 2026 9:30, Acme\n<news@example.org>:',
  ];
  for (const line of above) assert.equal(read(`Yes.\n\n${line}\n\nNo?`), 'Yes.', line);
  assert.equal(
    read('Show the sender as Acme <news@example.org>:\nthat helps.'),
    'Show the sender as Acme <news@example.org>:\nthat helps.',
  );
});
