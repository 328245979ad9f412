import assert from 'node:assert/strict';
import { withStore } from '../../src/cli/store.ts';
import { requireFirstBoard } from '../../src/identity/board/board.ts';
import { NO_BUDGET } from '../../src/identity/keys/budget.ts';
import { issueKey } from '../../src/identity/keys/managing.ts';
import { createUser } from '../../src/identity/users/users.ts';
import { testCommandLine } from '../support/command-line.ts';

testCommandLine('a list of keys shows the creator of each', async ({ env, run, json }) => {
  await json('board', 'create', '--name', 'Acme');
  await json('key', 'create', '--name', 'by the operator');
  await withStore(env, async ({ db, clock }) => {
    const context = { db, clock, baseUrl: 'http://board.test', board: await requireFirstBoard(db.read) };
    const maker = await createUser(context, { ssoType: 'SSO', ssoId: 'max' }, { name: 'Max Maker' });
    const settings = {
      name: 'by Max',
      permissions: ['READ'],
      allowedIps: [],
      rateRules: [],
      expiresAt: null,
      budget: NO_BUDGET,
    } as const;
    const form = { serverSecret: 'a secret', nonce: 'n'.repeat(43) };
    await issueKey({ ...context, actor: { ...maker, role: 'ADMIN' } }, settings, form);
  });
  const { stdout } = await run('key', 'list');
  assert.match(stdout.split('\n').find((line) => line.includes('by Max')) ?? '', /Max Maker/);
  const { items } = await json('key', 'list');
  assert.deepEqual(
    items.map(({ name, madeBy }: { name: string; madeBy: { name: string } | null }) => [name, madeBy?.name]),
    [
      ['by the operator', undefined],
      ['by Max', 'Max Maker'],
    ],
  );
});
