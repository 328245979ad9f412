import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { makeIpList, networkOf, parseBlock, plainAddress } from '../http/ip.ts';
import { findableText, isStorable, makeExcerpt, makeSlug, requireText } from '../texts/text.ts';
import { isId, makeId } from './ids.ts';
import { encodeCursor, makePage, parseCursor } from './page.ts';

test('ids made later sort later', () => {
  const ids = Array.from({ length: 20_000 }, makeId);
  assert.ok(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? '')));
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ids.every(isId));
  assert.ok(!isId('x') && !isId(makeId().toUpperCase()));
});

test('a text comes back trimmed, in NFC, with line feeds, whatever it says', () => {
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

test('a cursor is read back only by the list that gave it', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.uuid(), (value, id) => {
      const cursor = encodeCursor('posts:TOP', [value, id]);
      assert.deepEqual(parseCursor('posts:TOP', cursor), [value, id]);
      assert.throws(() => parseCursor('posts:NEWEST', cursor), /cursor/);
    }),
  );
  assert.equal(parseCursor('x', null), null);
  assert.deepEqual(parseCursor('x', encodeCursor('x', [0.5, '']), Number.isFinite), [0.5, '']);
  for (const cursor of ['', '!', 'bnVsbA', 'W10', 'WyJ4IiwxXQ'])
    assert.throws(() => parseCursor('x', cursor), /cursor/);
});

test('a page tells whether there is more', () => {
  const cursorOf = (row: number) => `after ${row}`;
  assert.deepEqual(makePage([1, 2, 3], 2, cursorOf), { nodes: [1, 2], hasMore: true, cursor: 'after 2' });
  assert.deepEqual(makePage([1, 2], 2, cursorOf), { nodes: [1, 2], hasMore: false, cursor: null });
  assert.deepEqual(makePage([], 2, cursorOf), { nodes: [], hasMore: false, cursor: null });
});

test('address blocks are read as they are written', () => {
  for (const block of ['1.2.3.4', '1.2.3.0/24', '0.0.0.0/0', '::1', '2001:db8::/32', '::/0', '1.2.3.4/32', '::1/128']) {
    assert.ok(parseBlock(block), block);
  }
  for (const block of [
    '',
    '1.2.3',
    '1.2.3.4/33',
    '::1/129',
    '1.2.3.4/',
    '1.2.3.4/a',
    'fe80::1%eth0',
    'a',
    '1.2.3.4/8/8',
    '01.2.3.4',
    '0x7f.0.0.1',
    '127.1',
    '2130706433',
    ' 1.2.3.4',
    '1.2.3.4/-1',
    '1.2.3.4/0008',
  ]) {
    assert.equal(parseBlock(block), null);
  }
});

test('a list of addresses allows what its blocks hold, in either family', () => {
  const cases: [blocks: string[], address: string, allowed: boolean][] = [
    [[], '8.8.8.8', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['10.1.2.3'], '10.1.2.3', true],
    [['10.1.2.3'], '10.1.2.4', false],
    [['10.0.0.0/8'], '::ffff:10.0.0.1', true],
    [['10.0.0.0/8'], '::ffff:a00:1', true],
    [['10.0.0.0/8'], '::10.0.0.1', false],
    [['::ffff:10.0.0.0/104'], '10.0.0.1', true],
    [['::ffff:10.0.0.0/104'], '11.0.0.1', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['::/0'], '10.0.0.1', true],
    [['0.0.0.0/0', '::/0'], '10.0.0.1', true],
    [['10.0.0.0/8'], 'nonsense', false],
    [['10.0.0.0/8'], '10.1', false],
  ];
  for (const [blocks, address, allowed] of cases) {
    assert.equal(makeIpList(blocks).allows(address), allowed, `${blocks} ${address}`);
  }
});

test('the network of an IPv6 address is its first 64 bits, wherever its zeros are', () => {
  const networks = {
    '2001:db8::5:6:7:8:9': '2001:db8:0:5',
    '2600::5:6:7:8:9': '2600:0:0:5',
    '2600:0:0:5:1:1:1:1': '2600:0:0:5',
    '2001:db8:1:2::': '2001:db8:1:2',
    '2001:db8::': '2001:db8:0:0',
    '::1': '0:0:0:0',
    '192.0.2.1': '192.0.2.1',
    '::ffff:192.0.2.1': '192.0.2.1',
    '::ffff:c000:201': '192.0.2.1',
    'fe80::1%eth0': 'fe80:0:0:0',
    'no address': 'no address',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(networks).map((a) => [a, networkOf(a)])), networks);
});

test('an address is shown as people write it', () => {
  const plain = {
    '::ffff:192.0.2.1': '192.0.2.1',
    '192.0.2.1': '192.0.2.1',
    'fe80::1%eth0': 'fe80::1',
    '2001:DB8:0::1': '2001:db8::1',
    nonsense: 'nonsense',
  };
  assert.deepEqual(Object.fromEntries(Object.keys(plain).map((a) => [a, plainAddress(a)])), plain);
});
