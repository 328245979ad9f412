import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCipher } from '../../platform/lib/cipher.ts';
import { type Confirmed, makeConfirmation, requireConfirmation } from './confirming.ts';

type Confirming = Parameters<typeof makeConfirmation>[0];

const cipher = makeCipher('a key of a test that is long enough');
const caller = { board: { id: 'b' }, key: { id: 'k' }, actor: { id: 'u' }, cipher, clock: { now: () => 1_000 } };
const effects = {
  changes: [{ thing: 'post', thingId: 'p', before: null, after: null }],
  events: [{ type: 'post.merged', postId: 'p' }],
  deliveries: 1,
  notified: 2,
  mailed: 3,
  isMinimum: false,
};
const confirmed: Confirmed = { tool: 'merge_posts', args: { sources: [2], target: 1 }, effects };

const contextOf = (changed: object = {}) => ({ ...caller, ...changed }) as unknown as Confirming;

test('a code confirms one call of one tool by one key and user, and nothing else', () => {
  const code = makeConfirmation(contextOf(), confirmed);
  requireConfirmation(contextOf(), confirmed, code);
  const wrong: [by: object, what: object][] = [
    [{ board: { id: 'c' } }, {}],
    [{ key: { id: 'l' } }, {}],
    [{ actor: { id: 'v' } }, {}],
    [{ actor: null }, {}],
    [{ cipher: makeCipher('a key of another server of the same age') }, {}],
    [{}, { tool: 'delete_posts' }],
    [{}, { args: { sources: [2], target: 3 } }],
    [{}, { effects: { ...effects, changes: [] } }],
    [{}, { effects: { ...effects, events: [] } }],
    [{}, { effects: { ...effects, deliveries: 0 } }],
    [{}, { effects: { ...effects, notified: 0 } }],
    [{}, { effects: { ...effects, mailed: 0 } }],
  ];
  for (const [by, what] of wrong) {
    const confirm = () => requireConfirmation(contextOf(by), { ...confirmed, ...what }, code);
    assert.throws(confirm, { extensions: { code: 'CONFLICT' }, message: /^confirm does not match what/ });
  }
});
