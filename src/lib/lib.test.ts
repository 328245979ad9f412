import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isId, makeId } from './ids.ts';
import { isAddressBlock, makeIpList } from './ip-list.ts';
import { encodeCursor, makePage, parseCursor } from './page.ts';
import { makeExcerpt, makeSlug, requireText } from './text.ts';

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
    assert.ok(isAddressBlock(block), block);
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
  ]) {
    assert.ok(!isAddressBlock(block), block);
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
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['fe80::/10'], 'fe80::1%eth0', true],
    [['::/0'], '10.0.0.1', true],
    [['0.0.0.0/0', '::/0'], '10.0.0.1', true],
    [['10.0.0.0/8'], 'nonsense', false],
  ];
  for (const [blocks, address, allowed] of cases) {
    assert.equal(makeIpList(blocks).allows(address), allowed, `${blocks} ${address}`);
  }
});
