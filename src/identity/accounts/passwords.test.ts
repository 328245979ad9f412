import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { makePasswords } from './passwords.ts';

test('a crowd of passwords leaves threads free for others, and each gets its own answer', async () => {
  const passwords = makePasswords(2);
  const hash = await passwords.hash('correct horse');
  let compared = 0;
  const answers = Array.from({ length: 10 }, async (_, n) => {
    const isRight = await passwords.verify({ hash, password: n === 7 ? 'correct horse' : `wrong ${n}` });
    compared++;
    return isRight;
  });
  await new Promise((resolve) => setImmediate(resolve));
  await stat('.');
  assert.ok(compared < 5, `${compared} were compared before a file was looked at`);
  const isOnlyOne = Array.from({ length: 10 }, (_, n) => n === 7);
  assert.deepEqual(await Promise.all(answers), isOnlyOne);
});
