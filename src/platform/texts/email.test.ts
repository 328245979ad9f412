import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { AppError } from '../errors.ts';
import { findableAddress, isAddressLike, requireMailAddress } from './email.ts';

test('an address is stored in one spelling, by which it is found', () => {
  const rows: [typed: string, stored: string][] = [
    ['Ada@Example.COM', 'ada@example.com'],
    [' ada@example.com\n', 'ada@example.com'],
    ["o'brien+board@mail.example.co.uk", "o'brien+board@mail.example.co.uk"],
    ["!#$%&'*+/=?^_`{|}~-@example.com", "!#$%&'*+/=?^_`{|}~-@example.com"],
    ['a.b.c@x-1.example', 'a.b.c@x-1.example'],
    ['1@2.example', '1@2.example'],
    ['root@localhost', 'root@localhost'],
    ['ada@Bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['ada@例子。公司', 'ada@xn--fsqu00a.xn--55qx5d'],
    ['Jürgen@example.com', 'jürgen@example.com'],
    ['用户@例子.公司', '用户@xn--fsqu00a.xn--55qx5d'],
    ['राम@example.com', 'राम@example.com'],
  ];
  for (const [typed, stored] of rows) {
    assert.equal(requireMailAddress(typed), stored);
    assert.equal(requireMailAddress(stored), stored);
    assert.equal(findableAddress(typed), stored);
  }
});

test('what is more or less than one address is refused', () => {
  const wrong = [
    ...['a@b.example(c)', '(c)a@b.example', 'a@b,c', 'a,b@c.example', 'a@b.example,c@d.example', 'a;b@c.example'],
    ...['"a b"@c.example', '"a"@b.example', 'a b@c.example', 'a@b c.example', '<a@b.example>', 'Ada <a@b.example>'],
    ...['a@@b.example', 'a@b@c.example', '@b.example', 'a@', 'a.b.example', '...', 'a@.', 'a@.example', 'a@b..example'],
    ...[
      '.a@b.example',
      'a.@b.example',
      'a..b@c.example',
      'a@b.example.',
      'a@-b.example',
      'a@b-.example',
      'a@b_c.example',
    ],
    ...['a@[127.0.0.1]', 'a@127.0.0.1', 'a@1', 'a@b.1', 'a@[IPv6:::1]', 'a@１２７.0.0.1', 'a@b:25', 'a@b/c', 'a@b%2ec'],
    ...[
      'a@b\u0000c',
      'a\nb@c.example',
      'a@b.example\nBcc: c@d.example',
      'a\\@b.example',
      'a:b@c.example',
      'mailto:a@b.example',
    ],
    ...[
      'a@ex\u00adample.com(c)',
      'a\u202eb@c.example',
      'a\u200bb@c.example',
      'a@ü(c).example',
      'a＠b.example',
      '\ud800@b.c',
    ],
  ];
  const isAnnounced = ({ extensions }: AppError) => extensions.code === 'BAD_REQUEST' && extensions.field === 'emails';
  for (const address of wrong) assert.throws(() => requireMailAddress(address, 'emails'), isAnnounced, address);
});

test('an address has up to 254 characters, 64 bytes before the @ and 63 characters in each part after it', () => {
  const part = (length: number) => 'x'.repeat(length);
  const long = (length: number) => `a@${`${part(63)}.`.repeat(3)}${part(length - 194)}`;
  assert.equal(requireMailAddress(long(254)).length, 254);
  assert.throws(() => requireMailAddress(long(255)), /3 to 254 characters; it has 255/);
  assert.equal(requireMailAddress(`${part(64)}@b.example`).length, 74);
  assert.throws(() => requireMailAddress(`${part(65)}@b.example`), /at most 64 bytes before the @/);
  assert.equal(requireMailAddress(`${'ü'.repeat(32)}@b.example`).length, 42);
  assert.throws(() => requireMailAddress(`${'ü'.repeat(33)}@b.example`), /at most 64 bytes before the @/);
  assert.equal(requireMailAddress(`a@${part(63)}.example`).length, 73);
  assert.throws(() => requireMailAddress(`a@${part(64)}.example`), /must be an address such as/);
  assert.equal(requireMailAddress('a@b'), 'a@b');
  assert.throws(() => requireMailAddress('a@'), /3 to 254 characters; it has 2/);
  // In ASCII a name can be longer than it was typed.
  assert.throws(() => requireMailAddress(`a@${'ü.'.repeat(120)}example`), /must be an address such as/);
});

test('whatever passes as an address is one: no space, quote, comma or bracket, and the same when it is read again', () => {
  const character = fc.constantFrom(...'ab1.@-_+,;:"\'()<>[]\\ \tüé例.。', '\u00df', '\u0130', '\u212a', '\u2024');
  const texts = fc.oneof(fc.string({ unit: character, maxLength: 30 }), fc.emailAddress());
  fc.assert(
    fc.property(texts, (text) => {
      let address = '';
      try {
        address = requireMailAddress(text);
      } catch {
        return;
      }
      assert.match(address, /^[^\s@,;:"()<>[\]\\]+@[a-z0-9.-]+$/);
      assert.equal(requireMailAddress(address), address);
      assert.equal(findableAddress(text), address);
    }),
    { numRuns: 2_000 },
  );
});

test('a name is quickly distinguished from an address, however long it is', () => {
  for (const address of ['ada@example.com', ' ada@localhost\n', 'a@b', '@@@'])
    assert.ok(isAddressLike(address), address);
  const begun = performance.now();
  for (const name of ['Ada', '', '@', 'a@', '@a', 'ada @ work', 'ada@example.com (Ada)', `${'a@'.repeat(100_000)} x`]) {
    assert.ok(!isAddressLike(name), name.slice(0, 50));
  }
  assert.ok(performance.now() - begun < 1_000);
});
