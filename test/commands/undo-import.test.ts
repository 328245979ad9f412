import assert from 'node:assert/strict';
import { vote } from '../../src/feedback/votes/votes.ts';
import { requireFirstBoard } from '../../src/identity/board/board.ts';
import { createUser, findUser, type SsoIdentity } from '../../src/identity/users/users.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { type CommandLine, testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { FIDER_TABLES, makeFile, makeZip, USERVOICE_CSV, zipOf } from '../support/import-files.ts';

testCommandLine('an import is undone as long as its ideas are untouched', async (line, t) => {
  await line.json('board', 'create', '--name', 'Acme');
  const file = await makeZip(t, zipOf(FIDER_TABLES));
  const none = await line.run('undo-import');
  assert.match(none.stderr, /no import to undo/);
  await line.json('import', makeFile(t, 'ideas.csv', USERVOICE_CSV));
  const before = await dumpStore(line.place);
  await line.json('import', file, '--from', 'fider');
  const plan = await line.run('undo-import', '--plan');
  assert.match(plan.stdout, /^Would remove 3 ideas from fider, by one import, the last on 2\d{3}-/);
  assert.deepEqual(await line.json('undo-import'), {
    source: 'fider',
    posts: 3,
    users: 3,
    entries: 0,
    statuses: 0,
    tags: 1,
  });
  const after = await dumpStore(line.place);
  // What is left: what was done to tags, numbers that were given out, events, and work for the search index.
  const left = ['operations', 'boards', 'events', 'search_pending'];
  const without = (dump: Map<string, string[]>) => [...dump].filter(([table]) => !left.includes(table));
  assert.deepEqual(without(after), without(before));
  const again = await line.json('import', file, '--from', 'fider');
  assert.deepEqual([again.posts.added, again.people], [3, 3]);
  const { sso_id: ssoId = '' } = (await usersOf(line)).find(({ sso_type: type }) => type === 'FIDER') ?? {};
  await voteOn(line, 'first', { ssoType: 'FIDER', ssoId });
  assert.equal((await line.json('undo-import')).users, 2, 'who has voted for another idea stays');
  await line.json('import', file, '--from', 'fider');
  await voteOn(line, 'last', { ssoType: 'SSO', ssoId: 'vera' });
  const planned = await line.run('undo-import', '--plan');
  assert.match(planned.stdout, /\n1 idea was changed, commented or voted on since, so it cannot be undone\./);
  const refused = await line.run('undo-import');
  assert.match(refused.stderr, /Nothing was undone\. Ideas changed, .*: 1/);
});

async function usersOf({ place }: CommandLine): Promise<Partial<Record<string, string>>[]> {
  return [...((await dumpStore(place)).get('users') ?? [])].map((row) => Object.fromEntries(JSON.parse(row)));
}

/** Someone votes for the idea that was imported first or last. */
async function voteOn(line: CommandLine, which: 'first' | 'last', identity: SsoIdentity): Promise<void> {
  const db = openDb(line.place);
  try {
    const board = await requireFirstBoard(db.read);
    const posts = db.read.selectFrom('posts').select('id').where('merged_into_id', 'is', null);
    const { id } = await posts.orderBy('id', which === 'last' ? 'desc' : 'asc').executeTakeFirstOrThrow();
    const context = { db, clock: systemClock, baseUrl: 'http://localhost', board };
    const known = await findUser(db.read, board.id, identity);
    const actor = known ?? (await createUser(context, identity, {}));
    await vote({ ...context, actor }, id, 'UP');
  } finally {
    await db.close();
  }
}
