import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markWords } from '../../web/posts/list/marks.ts';
import { parseWords } from '../feedback/search/words.ts';

const marked = (text: string, search: string) =>
  markWords(text, parseWords(search))
    .map((part, index) => (index % 2 === 1 ? `[${part}]` : part))
    .join('');

test('the words of a search are marked as search compares them, and no text is changed', () => {
  assert.equal(marked('Export filters, and EXPORT', 'export filt'), '[Export] [filt]ers, and [EXPORT]');
  assert.equal(marked('Reporting at noon', 'port at'), 'Re[port]ing [at] noon');
  assert.equal(marked('A cat', 'at'), 'A cat');
  assert.equal(marked('Größe und Café', 'grosse cafe'), '[Größe] und [Café]');
  assert.equal(marked('ダークモードが欲しい', 'モード'), 'ダーク[モード]が欲しい');
  assert.equal(marked('<b>bold</b> & "quotes"', 'bold'), '<b>[bold]</b> & "quotes"');
  assert.equal(marked('', 'a'), '');
});

test('a compound is marked in one word, with a hyphen or dot, and apart, whichever of them was searched for', () => {
  assert.equal(marked('E-Mail-Versand per Email', 'email'), '[E-Mail]-Versand per [Email]');
  assert.equal(
    marked('Emails, E-mails or E mails; every one', 'E-mail'),
    '[Email]s, [E-mail]s or [E] [mail]s; every one',
  );
  assert.equal(marked('Wi‑Fi and WIFI', 'wi-fi'), '[Wi‑Fi] and [WIFI]');
  assert.equal(marked('A Node.js-based API', 'nodejs'), 'A [Node.js]-based API');
  assert.equal(marked('A Node.js-based API', 'js node'), 'A [Node].[js]-based API');
  assert.equal(marked('From the U.S.A.', 'usa'), 'From the [U.S.A].');
  assert.equal(marked('E-Größe', 'egrosse'), '[E-Größe]');
  assert.equal(marked('1.2.3', '123'), '1.2.3');
});
