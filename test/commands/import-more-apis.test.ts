import assert from 'node:assert/strict';
import { type CommandLine, makeCommandLine, testCommandLine } from '../support/command-line.ts';
import { dumpStore } from '../support/dump.ts';
import { exported, WRITTEN } from '../support/exported.ts';
import { FIDER_KEY, FiderBoard, fiderUser, startFider } from '../support/fider.ts';
import { GITHUB_TOKEN, Repository, startGithub } from '../support/github.ts';

const withKeys = (line: CommandLine, keys: Record<string, string>) =>
  makeCommandLine(line.place, { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', ...keys });

async function boardOf(line: CommandLine) {
  const rows = await exported(line);
  const comments = rows.filter(({ row, type }) => row === 'comment' && WRITTEN.includes(String(type)));
  return { posts: rows.filter(({ row }) => row === 'post'), comments };
}

/** Imports, and once more, which changes nothing. */
async function importTwice(line: CommandLine, args: string[]) {
  const run = async () => {
    const { status, stdout, stderr } = await line.run('import', ...args, '--json');
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  const report = await run();
  const before = await dumpStore(line.place);
  const again = await run();
  assert.deepEqual([again.posts.added, again.comments.added, again.votes.added, again.merges.added], [0, 0, 0, 0]);
  assert.deepEqual(await dumpStore(line.place), before);
  return report;
}

testCommandLine('issues of GitHub are imported by its API, though it limits and fails', async (plain, t) => {
  const repository = new Repository();
  for (let n = 1; n <= 230; n++) repository.open(`Issue ${n}`, { isPull: n % 10 === 0 });
  repository.touch(1, { state: 'closed', state_reason: 'completed', labels: ['mobile'] });
  repository.touch(2, { state: 'closed', state_reason: 'not_planned' });
  for (let n = 0; n < 120; n++) repository.comment(1 + (n % 20), `Comment ${n}`);
  repository.thumbs.set(
    3,
    Array.from({ length: 105 }, (_, n) => `fan${n}`),
  );
  const github = await startGithub(t, repository);
  const line = withKeys(plain, { GITHUB_TOKEN });
  await line.json('board', 'create', '--name', 'Acme');
  const refused = await withKeys(plain, { GITHUB_TOKEN: 'wrong' }).run('import', github.url, '--from', 'github');
  assert.match(refused.stderr, /GitHub refused .*: Bad credentials. Check .* GITHUB_TOKEN/);
  const anonymous = await withKeys(plain, {}).run('import', github.url, '--from', 'github', '--plan');
  assert.match(anonymous.stdout, /105 votes without names/);
  const report = await importTwice(line, [github.url, '--from', 'github']);
  assert.deepEqual(
    [report.posts.added, report.comments.added, report.votes.added, report.problems],
    [207, 108, 105, 0],
  );
  const { posts, comments } = await boardOf(line);
  assert.deepEqual(
    posts.slice(0, 3).map(({ title, status, upvoteCount }) => [title, (status as { name: string }).name, upvoteCount]),
    [
      ['Issue 1', 'Completed', 0],
      ['Issue 2', 'Archived', 0],
      ['Issue 3', 'Open', 105],
    ],
  );
  assert.equal(comments.filter(({ text }) => text === 'Comment 0').length, 1);
});

testCommandLine('a board of Fider is imported by its API, though it fails at times', async (plain, t) => {
  const board = new FiderBoard();
  for (let n = 1; n <= 40; n++) board.add(`Idea ${n}`);
  const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = board.posts;
  Object.assign(first, { status: 'planned', tags: ['night-mode'] });
  first.response = { text: 'Next year', respondedAt: '2024-06-01T00:00:00Z', user: fiderUser(1), original: null };
  Object.assign(third, { status: 'duplicate' });
  third.response = { text: '', respondedAt: '2024-06-02T00:00:00Z', user: fiderUser(1), original: { number: 1 } };
  for (const text of ['One', 'Two']) board.comment(second, text);
  for (const n of [2, 3, 7]) board.vote(second, n);
  board.vote(third, 3);
  const fider = await startFider(t, board);
  const line = withKeys(plain, { FIDER_API_KEY: FIDER_KEY });
  await line.json('board', 'create', '--name', 'Acme');
  const refused = await withKeys(plain, { FIDER_API_KEY: 'wrong' }).run('import', fider.url, '--from', 'fider');
  assert.match(refused.stderr, /Fider refused posts: API Key is invalid. Check .* FIDER_API_KEY/);
  const report = await importTwice(line, [fider.url, '--from', 'fider']);
  assert.deepEqual(
    [report.posts.added, report.comments.added, report.votes.added, report.merges.added, report.problems],
    [40, 3, 4, 1, 0],
  );
  const { posts, comments } = await boardOf(line);
  assert.partialDeepStrictEqual(posts[0], {
    title: 'Idea 1',
    status: { name: 'Planned' },
    tags: [{ name: 'Night mode' }],
    author: { ssoType: 'FIDER', ssoId: '1', email: 'person1@example.com' },
    upvoteCount: 1,
  });
  assert.equal(posts[2]?.mergedIntoId, posts[0]?.id);
  assert.equal(posts[1]?.upvoteCount, 3);
  assert.deepEqual(comments.map(({ text, type }) => [type, text]).sort(), [
    ['BASIC', 'One'],
    ['BASIC', 'Two'],
    ['OFFICIAL', 'Next year'],
  ]);
});
