import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readMail } from '../../../test/support/mail-in.ts';
import { readMessage } from './message.ts';
import { textOf, titleOf } from './text.ts';

/**
 * What becomes of mails in the forms of these programs. The forms are those of public corpora, with other words: tests of
 * https://github.com/mailgun/talon/tree/master/tests/fixtures (Gmail, Outlook, Apple Mail, iPhone, Thunderbird, Yahoo),
 * https://github.com/crisp-oss/email-reply-parser/tree/master/test/fixtures (languages, Outlook for iOS) and
 * https://github.com/discourse/discourse/tree/main/spec/fixtures/emails (Android, inline pictures, bottom posting).
 */
const mails: [file: string, name: string, title: string, text: string][] = [
  [
    'gmail-web',
    'Lina Haddad',
    'Dark mode',
    'Please add a **dark mode**. My eyes hurt at night:\n\n-   in the list\n-   on the page of an idea',
  ],
  ['gmail-reply', 'Lina Haddad', 'Dark mode', 'Yes, that would do.'],
  ['gmail-android-de', 'Jana Roth', 'Dunkles Design', 'Ja, bitte auch für den Kalender.'],
  ['outlook-web', 'Lina Haddad', 'Export as CSV', 'We need the list as CSV every Monday.'],
  ['outlook-windows-de', 'Haddad, Lina', 'Größere Schrift', 'Die Schrift ist für ältere Augen zu klein.'],
  ['outlook-ios-fr', 'Lina Haddad', 'Filtres', 'Oui, avec les étiquettes.'],
  ['apple-mail', 'Lina Haddad', 'Button is cut off', 'On small screens the button is cut off:\n\nSee?'],
  ['iphone-es', 'Lina Haddad', 'Notificaciones', 'Sólo una vez al día, por favor.'],
  [
    'thunderbird-bottom',
    'Lina Haddad',
    'Shortcuts',
    'j and k, as everywhere else, so that no one has to learn new ones.',
  ],
  ['thunderbird-html', 'Łukasz Zięba', 'Powiadomienia w aplikacji', 'Chcę widzieć powiadomienia w aplikacji.'],
  ['yahoo-pt', 'Lina Haddad', 'Modo escuro', 'Quero o modo escuro também no telemóvel.'],
  ['proton', 'Lina Haddad', 'Two factor', 'Please support security keys.'],
  ['japanese', '山田', '検索', '検索を速くしてください。'],
];

for (const [file, name, title, text] of mails) {
  test(`a mail in the form of ${file} is read without its quotes and signature`, async () => {
    const message = await readMessage(readMail(file));
    const read = textOf(message);
    assert.deepEqual(message.from, { address: 'lina@example.com', name });
    assert.equal(read.text, text);
    assert.equal(titleOf(message.subject, read.text), title);
  });
}

test('only the pictures in the text that is left are named', async () => {
  const { pictures } = textOf(await readMessage(readMail('apple-mail')));
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
