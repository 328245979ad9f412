import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundRuns, normalizeText } from './normal-form.ts';

const JOINER = '\u034f';
const LENGTH = 20_000;

/** Whether marks are sorted around this one: that it is moved before or after another tells its class is not 0. */
function isSorted(mark: string): boolean {
  const [overlay, acute] = ['\u0334', '\u0301'];
  return `a${mark}${overlay}`.normalize('NFD')[1] === overlay || `a${acute}${mark}`.normalize('NFD')[1] !== acute;
}

const sortedMarks = new Map<string, boolean>();

/** The most marks in a row that `normalize` would sort, in whichever form. */
function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (const part of text.normalize('NFKD')) {
    const isPart = sortedMarks.get(part) ?? (/\p{M}/u.test(part) && isSorted(part));
    sortedMarks.set(part, isPart);
    run = isPart ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** Parts of texts that are hard to sort: marks of many classes, some of which are taken apart, and what stands between. */
const hostile = fc.constantFrom(
  ...['\u0300', '\u0334', '\u0345', '\u0316', '\u059a', '\u031b', '\u0e38', '\u093c', '\u094d', '\u3099', '\u{1d165}'],
  ...['\u0344', '\u0f73', '\u0f75', '\u0f81', '\u0ddd', '\u1e17', '\u1f82', '\uff9e', '\uff9f', '\ufb2c', JOINER],
  ...['a', 'e\u0301', ' ', '\n', '한', '\u1112\u1161\u11ab', '👩‍👩‍👧', 'བྷྲཱུྃ', '\u0e33'],
);
const run = fc.tuple(fc.array(hostile, { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: LENGTH }));
const texts = fc
  .tuple(fc.array(run, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: LENGTH }))
  .map(([runs, length]) => cut(runs.map(([parts, times]) => parts.join('').repeat(times)).join(''), length));

function cut(text: string, length: number): string {
  return [...text.slice(0, 2 * length)].slice(0, length).join('').toWellFormed();
}

test('whatever a text of 1 to 20,000 characters is, what is normalised has no more than 30 marks in a row to sort', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const bounded = boundRuns(text);
      assert.ok(longestRun(bounded) <= 30);
      assert.ok(bounded.length <= text.length * 1.1, 'a joiner stands for ten characters before it');
      assert.equal(bounded.replaceAll(JOINER, ''), text.replaceAll(JOINER, ''), 'only joiners are added');
      for (const form of ['NFC', 'NFKD'] as const) {
        assert.equal(normalizeText(text, form), bounded.normalize(form));
        assert.equal(normalizeText(normalizeText(text, form), form), normalizeText(text, form));
      }
    }),
    { numRuns: 60 },
  );
});

test('every character of Unicode that is sorted as a mark, or taken apart into such marks, is counted as one', () => {
  const wrong: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (longestRun(character) === 0) continue;
    if (longestRun(boundRuns(character.repeat(40))) > 30) wrong.push(code.toString(16));
    if (longestRun(boundRuns(`${character}${'\u0301\u0334'.repeat(20)}`)) > 30)
      wrong.push(`${code.toString(16)} first`);
  }
  assert.deepEqual(wrong, []);
});

test('a letter that is taken apart into a mark and a letter ends a run as that mark would', () => {
  for (const letter of ['\u0e33', '\u0eb3']) {
    const text = `a${'\u0300'.repeat(30)}${letter}`;
    assert.equal(normalizeText(normalizeText(text, 'NFKD'), 'NFKD'), normalizeText(text, 'NFKD'));
  }
});

test('thirty marks in a row stay as they are, and each thirty more are joined to them', () => {
  const acutes = (count: number) => '\u0301'.repeat(count);
  const rows: [text: string, bounded: string][] = [
    [`a${acutes(30)}b`, `a${acutes(30)}b`],
    [`a${acutes(31)}b`, `a${acutes(30)}${JOINER}\u0301b`],
    [acutes(61), `${acutes(30)}${JOINER}${acutes(30)}${JOINER}\u0301`],
    [`ế${acutes(28)}`, `ế${acutes(28)}`],
    [`ế${acutes(29)}`, `ế${acutes(28)}${JOINER}\u0301`],
    ['\u0344'.repeat(15), '\u0344'.repeat(15)],
    ['\u0344'.repeat(16), `${'\u0344'.repeat(15)}${JOINER}\u0344`],
    ['\u{1d165}'.repeat(30), '\u{1d165}'.repeat(30)],
    ['\u{1d165}'.repeat(31), `${'\u{1d165}'.repeat(30)}${JOINER}\u{1d165}`],
    [`${acutes(30)}${JOINER}${acutes(30)}`, `${acutes(30)}${JOINER}${acutes(30)}`],
  ];
  for (const [text, bounded] of rows) assert.equal(boundRuns(text), bounded, JSON.stringify(text));
});

test('words of every language stay as they are written', () => {
  const words = {
    Vietnamese: 'Nguyễn Thị Hường đề nghị chế độ tối'.normalize('NFD'),
    Hebrew: 'בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ׃',
    Arabic: 'بِسْمِ ٱللَّهِ ٱلرَّحْمَـٰنِ ٱلرَّحِيمِ',
    Hindi: 'क्षत्रिय स्त्रियाँ र्‍ऍंज़ ज़िन्दगी',
    Tamil: 'ஸ்ரீ கௌரி கொடுக்கிறாள்',
    Sinhala: 'ශ්‍රී ලංකාව ද්‍රෝණ',
    Thai: 'ที่นี่น้ำใจ ผู้ใหญ่',
    Khmer: 'ស្ត្រី កម្ពុជា ខ្ញុំ',
    Burmese: 'ဗုဒ္ဓဘာသာ မြန်မာ သိင်္ဃီ',
    Tibetan: 'ཧཱུྃ ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ༔ ཧྐྵྨླྺྼྻྂ བསྒྲུབས',
    Korean: '대한민국 만세'.normalize('NFD'),
    Japanese: 'ﾊﾟｿｺﾝで ｶﾞｷﾞｸﾞｹﾞｺﾞ がぎぐげご'.normalize('NFD'),
    'the phonetic alphabet': 't͡ʃʼɛ̃̀ˑ n̪͡m̊ ɔ̝̃́',
    mathematics: '𝐱⃗ + ŷ̄ ≠ ∅ x̂⃛',
    emoji: '👩‍👩‍👧‍👦 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ ❤️',
  };
  for (const [language, text] of Object.entries(words)) {
    assert.equal(boundRuns(text), text, language);
    assert.equal(normalizeText(text), text.normalize('NFC'), language);
    assert.equal(normalizeText(text, 'NFKD'), text.normalize('NFKD'), language);
  }
});
