import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findableText, isStorable, makeExcerpt, makeSlug, requireText } from './text.ts';

test('a text comes back trimmed, in NFC, with line feeds, whatever it contains', () => {
  const rule = { field: 'text', min: 0, max: 1_000 };
  assert.equal(requireText(' a\r\nb\rc\t ', rule), 'a\nb\nc');
  assert.equal(requireText('e\u0301', rule), 'é');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), (raw) => {
      const clean = raw.replace(/[^\P{Cc}\t\n\r]/gu, '');
      const text = requireText(clean, rule);
      assert.equal(requireText(text, rule), text);
    }),
  );
});

test('the length of a text is looked at before anything else', () => {
  const rule = { field: 'title', min: 1, max: 200 };
  const half = '\ud800';
  assert.throws(() => requireText(half + 'x'.repeat(1_799), rule), /half of a surrogate pair/);
  assert.throws(() => requireText(half + 'x'.repeat(1_800), rule), /1 to 200 characters; it has 1,801/);
  assert.throws(() => requireText(`x\0${' '.repeat(1_799)}`, rule), /it has 1,801/);
  assert.throws(() => requireText(`x\0${' '.repeat(1_798)}`, rule), /control character U\+0000/);
});

test('a text has as many characters as it may have, however it is written', () => {
  const rule = { field: 'title', min: 1, max: 200 };
  const longest = [
    'x',
    '字',
    '🌒',
    'ế',
    'ế'.normalize('NFD'),
    '한'.normalize('NFD'),
    '\u1f82'.normalize('NFD'),
    '\r\n',
  ];
  for (const character of longest) {
    const [first, last] = ['x', 'x'];
    const text = requireText(`${first}${character.repeat(198)}${last}`, rule);
    assert.equal([...text].length, 200, JSON.stringify(character));
    assert.throws(() => requireText(`${first}${character.repeat(199)}${last}`, rule), /it has (201|401)/);
  }
  assert.equal(requireText(`${' '.repeat(800)}${'x'.repeat(200)}${'\n'.repeat(800)}`, rule), 'x'.repeat(200));
});

test('a text has as many characters as were written, also where marks are joined, and when it is sent again', () => {
  const rule = { field: 'text', min: 1, max: 20_000 };
  for (const marks of ['\u0301', '\u0334\u0301', '\u{1d165}', '\uff9e\u0334']) {
    const written = `x${marks.repeat(20_000)}`;
    const longest = [...written].slice(0, 20_000).join('');
    const text = requireText(longest, rule);
    assert.ok(text.length > longest.length, 'joiners are added');
    assert.equal(requireText(text, rule), text);
    assert.throws(() => requireText(`${longest}\u0301`, rule), /it has 20,001/);
  }
  assert.throws(() => requireText(`\u0301${'\u034f'.repeat(19_999)}\u0301`, rule), /it has 20,001/);
});

test('what is looked for is in the form in which it is stored, and what cannot be stored is not looked for', () => {
  assert.equal(findableText(' Gro\u0308\u00dfe\n'), 'Gr\u00f6\u00dfe');
  assert.equal(findableText(''), '');
  for (const text of ['\ud800', 'a\0b', 'x'.repeat(2_021)]) {
    assert.equal(findableText(text), null);
    assert.ok(!isStorable(text));
  }
  assert.equal(findableText('x'.repeat(2_020))?.length, 2_020);
  assert.ok(isStorable('x'.repeat(2_020)) && isStorable('a\tb'));
});

test('excerpts are one line and never longer than asked', () => {
  assert.equal(makeExcerpt('a\n\n b', 10), 'a b');
  assert.equal(makeExcerpt('abcdef', 6), 'abcdef');
  assert.equal(makeExcerpt('abcdefg', 6), 'abcde…');
  assert.equal(makeExcerpt(`a${' '.repeat(78)}😀`, 10), 'a');
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 50 }), (text, max) => {
      const excerpt = makeExcerpt(text, max);
      assert.ok([...excerpt].length <= max && !excerpt.includes('\n'));
    }),
  );
});

test('slugs keep letters of every script', () => {
  assert.equal(makeSlug('Dark mode, please!'), 'dark-mode-please');
  assert.equal(makeSlug('深色 模式'), '深色-模式');
  assert.equal(makeSlug('!!!'), 'post');
  assert.ok([...makeSlug('x '.repeat(500))].length <= 60);
});
