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
