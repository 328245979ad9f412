import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Shares } from './shares.ts';

/** Holds, and tells what was lost so far. */
function makeHolders(limits: { all: number; network: number }) {
  const shares = new Shares(limits);
  const lost: string[] = [];
  const hold = (name: string, amount: number, { isIdle = true, isProxy = false } = {}) => {
    const [network = ''] = name.split(' ');
    const held = shares.hold({ network, isProxy, isIdle: () => isIdle, lose: () => lost.push(name) });
    held.add(amount);
    return held;
  };
  return { hold, lost };
}

test('a network above its share loses what has been idle the longest, and others lose nothing', () => {
  const { hold, lost } = makeHolders({ all: 100, network: 4 });
  hold('b 1', 4);
  const first = hold('a 1', 2);
  hold('a 2', 2);
  first.touch();
  hold('a 3', 1);
  assert.deepEqual(lost, ['a 2']);
  first.add(2);
  assert.deepEqual(lost, ['a 2', 'a 1']);
});

test('above the limit of all, the network with the most loses, also if another one asks', () => {
  const { hold, lost } = makeHolders({ all: 6, network: 5 });
  for (const name of ['a 1', 'a 2', 'a 3', 'b 1', 'b 2', 'c 1']) hold(name, 1);
  hold('d 1', 1);
  hold('d 2', 1);
  assert.deepEqual(lost, ['a 1', 'a 2']);
});

test('what is idle is lost first, then the oldest in use', () => {
  const { hold, lost } = makeHolders({ all: 10, network: 2 });
  hold('a 1', 1, { isIdle: false });
  hold('a 2', 1, { isIdle: false });
  hold('a 3', 1);
  assert.deepEqual(lost, ['a 3']);
  hold('a 4', 1, { isIdle: false });
  assert.deepEqual(lost, ['a 3', 'a 1']);
});

test('a proxy has no share of its own, and what was given back is free again', () => {
  const { hold, lost } = makeHolders({ all: 3, network: 1 });
  const held = ['p 1', 'p 2', 'p 3'].map((name) => hold(name, 1, { isProxy: true }));
  for (const one of [...held, ...held]) one.release();
  for (const name of ['a 1', 'b 1', 'c 1']) hold(name, 1);
  held[0]?.add(5);
  assert.deepEqual(lost, []);
});
