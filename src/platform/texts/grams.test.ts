import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldText } from './fold.ts';
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
