import assert from 'node:assert/strict';
import { updatePost } from '../../src/feedback/lifecycle/editing.ts';
import { requireFirstBoard } from '../../src/identity/board/board.ts';
import { createUser } from '../../src/identity/users/users.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { systemClock } from '../../src/platform/lib/clock.ts';
import { onEnd } from '../support/cleanup.ts';
import { type CommandLine, testCommandLine } from '../support/command-line.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import { playedSources } from './follow-sources.ts';
import { ideasHere, startFollowing, untilEqual } from './following.ts';

/** What the team does on the board while it is followed. */
async function retitleHere(line: CommandLine, from: string, title: string): Promise<void> {
  const db = openDb(line.place);
  try {
    const context = { db, clock: systemClock, baseUrl: 'http://localhost', board: await requireFirstBoard(db.read) };
    const user = await createUser(context, { ssoType: 'SSO', ssoId: 'boss' }, { name: 'Boss' });
    const actor = { ...user, role: 'ADMIN' as const };
    const { id } = await db.read.selectFrom('posts').select('id').where('title', '=', from).executeTakeFirstOrThrow();
    await updatePost({ ...context, actor }, id, { title });
  } finally {
    await db.close();
  }
}

async function countMails(line: CommandLine): Promise<number> {
  const db = openDb(line.place);
  try {
    return (await db.read.selectFrom('mails').select('id').execute()).length;
  } finally {
    await db.close();
  }
}

for (const [name, play] of Object.entries(playedSources)) {
  testCommandLine(`${name} is followed until told to stop, killed in between`, async (line, t) => {
    const played = play();
    await line.json('board', 'create', '--name', 'Acme');
    for (let n = 0; n < 120; n++) played.add(`Idea ${n}`);
    for (let n = 0; n < 30; n++) played.comment(n % 7, `Comment ${n}`);
    for (let n = 0; n < 20; n++) played.vote(n % 5, n);
    const { url } = await played.start(t);
    const first = startFollowing(t, line, played, url);
    await untilEqual('all is there', line, played.ideas);

    for (let n = 0; n < 3; n++) played.add(`New ${n}`);
    played.edit(1, { title: 'Another title' });
    played.edit(2, { text: 'Another text' });
    played.edit(3, { isDone: true });
    played.comment(4, 'One more');
    played.vote(121, 77);
    played.vote(9, 78);
    await untilEqual('changes have come', line, played.ideas);

    await retitleHere(line, 'Idea 5', 'As we call it');
    played.edit(5, { title: 'As they call it', text: 'And why', isDone: true });
    const expected = () =>
      played.ideas().map((idea) => (idea.title === 'As they call it' ? { ...idea, title: 'As we call it' } : idea));
    await untilEqual('what was changed here stays', line, expected);
    await until('it is said', () => /“As we call it” was changed here: its title stays as it is/.test(first.output()));

    for (let n = 0; n < 80; n++) played.add(`Later ${n}`);
    for (let n = 0; n < 80; n++) played.comment(100 + n, `Later comment ${n}`);
    for (let n = 0; n < 40; n++) played.vote(100 + n, n);
    const has = async () => (await ideasHere(line)).some(({ title }) => title.startsWith('Later'));
    await until('it is in the middle of something', has, PATIENCE_MS, 20);
    first.child.kill('SIGKILL');
    await first.ended;
    played.edit(3, { isDone: true, title: 'While it was away' });
    played.edit(5, { title: 'As they call it', text: 'And why else' });

    const second = startFollowing(t, line, played, url);
    await untilEqual('nothing is missing, nothing is there twice', line, expected);
    second.child.kill('SIGTERM');
    const [status] = await second.ended;
    assert.equal(status, 0, second.output());
    assert.match(second.output(), /Stopped\. The same command continues\.\n$/);
    assert.match(first.output(), /Following \w+: looking again every 1 second/);
    assert.match(first.output(), /new ideas?|changed idea/);
    assert.equal(await countMails(line), 0);
  });
}

testCommandLine('what came from a followed board is undone like any import', async (line, t) => {
  const played = playedSources.github?.() ?? assert.fail();
  await line.json('board', 'create', '--name', 'Acme');
  for (let n = 0; n < 12; n++) played.add(`Idea ${n}`);
  const { url } = await played.start(t);
  const { child, ended } = startFollowing(t, line, played, url);
  await untilEqual('all is there', line, played.ideas);
  for (let n = 0; n < 12; n++) played.edit(n, { title: `Other ${n}`, isDone: true });
  await untilEqual('changes have come', line, played.ideas);
  child.kill('SIGINT');
  assert.deepEqual((await ended)[0], 0);
  const undone = await line.json('undo-import');
  assert.equal(undone.posts, 12);
  const db = openDb(line.place);
  onEnd(t, () => db.close());
  assert.deepEqual(await db.read.selectFrom('import_seen').selectAll().execute(), []);
});

testCommandLine('following says what it takes', async (line) => {
  await line.json('board', 'create', '--name', 'Acme');
  const cases: [args: string[], words: RegExp][] = [
    [['ideas.csv', '--from', 'csv', '--follow'], /--follow takes the address of an API/],
    [['https://ideas.example.com/api/v1/graphql', '--from', 'nolt', '--follow'], /--from canny, fider, or github/],
    [['https://canny.io/api/v1', '--from', 'canny', '--follow', '--plan'], /cannot be used with/],
    [['https://canny.io/api/v1', '--from', 'canny', '--follow', '--every', '0s'], /such as 30s, 5m or 1h/],
    [['http://127.0.0.1:1', '--from', 'fider', '--follow'], /127.0.0.1:1 cannot be read: connection refused/],
  ];
  for (const [args, words] of cases) {
    const { status, stderr } = await line.run('import', ...args);
    assert.ok(status > 0, args.join(' '));
    assert.match(stderr, words);
  }
});
