import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldCompounds, foldForIndex, foldText } from './fold.ts';
import { gramNumber, gramsOf, gramsOfPost } from './grams.ts';

test('folding makes one of the spellings of a word, and leaves what makes words different', () => {
  assert.equal(foldText('Größe: 5 % (l’Été)\n'), 'grosse 5 l ete');
  assert.equal(foldText('GraphQLの検索ﾀﾞｰｸ🌒️'), 'graphql の検索ダーク🌒');
  assert.equal(foldText('Cœur, ŁÓDŹ, ΤΕΛΟΣ, Ёж, إِضَافَة'), 'coeur lodz τελοσ еж اضافه');
  assert.equal(foldText('が'), 'が', 'a voiced syllable is another one');
  assert.equal(foldText(' \0%_"*'), '');
});

test('folding twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => assert.equal(foldText(foldText(text)), foldText(text))),
  );
});

test('a compound with short parts is indexed in one word as well, and kept together in a search', () => {
  const both = (text: string) => [foldForIndex(text), foldCompounds(text, (parts) => parts.join('-'))];
  assert.deepEqual(both('A Log-In'), ['a log in login', 'a log-in']);
  assert.deepEqual(both('Node.js, WI‑FI'), ['node js nodejs wi fi wifi', 'node-js wi-fi']);
  assert.deepEqual(both('U.S.A. é‐Book'), ['u s a usa e book ebook', 'u-s-a e-book']);
  assert.deepEqual(both('E-Book-Reader'), ['e book ebook reader', 'e-book reader']);
  assert.deepEqual(both('導出e-book用'), ['導出 e book ebook 用', '導出 e-book 用']);
  for (const text of [
    'dark-mode',
    '1.2',
    'v2.0',
    'a--b',
    'i.e.',
    'e - mail',
    'x1-ray',
    '漢-字',
    `${'a-'.repeat(50)}`,
  ]) {
    assert.deepEqual(both(text), [foldText(text), foldText(text)], text);
  }
});

test('only joined forms distinguish the text of the index from the folded one', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcé9-.‐ 检ー'), maxLength: 30 });
  fc.assert(
    fc.property(text, (written) => {
      assert.equal(
        foldCompounds(written, (parts) => parts.join(' ')),
        foldText(written),
      );
    }),
  );
});

test('a post has the grams of its words, those of the title twice', () => {
  const word = fc.string({ unit: fc.constantFrom(...'abcö9ж检索الダー🌒'), minLength: 1, maxLength: 70 });
  fc.assert(
    fc.property(fc.array(word), fc.array(word), (title, text) => {
      const folded = [title, text].map((words) => foldText(words.join(' ')));
      const [inTitle = [], inText = []] = folded.map((part) => part.split(' ').flatMap(gramsOf));
      const expected = new Set([
        ...inTitle.map((gram) => gramNumber('title', gram)),
        ...[...inTitle, ...inText].map((gram) => gramNumber('post', gram)),
      ]);
      const numbers = gramsOfPost(folded[0] ?? '', folded[1] ?? '');
      const empty = [gramNumber('title', '^'), gramNumber('post', '^')];
      assert.deepEqual(new Set(numbers), expected.difference(new Set(empty)));
    }),
  );
});
