import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { createPost } from '../../feedback/lifecycle/creating.ts';
import { updatePost } from '../../feedback/lifecycle/editing.ts';
import { createUser } from '../../identity/users/users.ts';
import { findUntouchedSamples, removeSample } from './removing.ts';
import { makeSamplePost, SETUP_POSTS } from './sample.ts';
import { seedBoard } from './seed.ts';

type Entry = { posts: { nodes: { status: { name: string } }[] } };
type Column = { status: { name: string }; posts: { nodes: { id: string }[] } };

testBoth('sample data has ideas in every column of the roadmap, and new ones', async ({ db, clock, board, ask }) => {
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  assert.equal(await seedBoard(context, 12), 12);
  assert.equal(await seedBoard(context, 12), 0);
  const { roadmap, changelog } = await ask(`{
    roadmap { status { name } posts { nodes { id } } }
    changelog { nodes { posts { nodes { status { name } } } } }
  }`);
  assert.deepEqual(
    roadmap.map(({ status, posts }: Column) => [status.name, posts.nodes.length]),
    [
      ['Planned', 2],
      ['In progress', 2],
      ['Completed', 3],
    ],
  );
  const shipped: { status: { name: string } }[] = changelog.nodes.flatMap((entry: Entry) => entry.posts.nodes);
  assert.deepEqual(new Set(shipped.map(({ status }) => status.name)), new Set(['Completed']));
});

testBoth('sample data is removed, but no real ideas, and none that were renamed', async (app) => {
  const { db, clock, board, ask } = app;
  const context = { db, clock, board, baseUrl: 'http://board.test' };
  const olga = await createUser(context, { ssoType: 'SSO', ssoId: 'olga' }, { name: 'Olga' });
  const owner = { ...context, actor: { ...olga, role: 'OWNER' as const } };
  // An id of the sample data on the idea of a user proves nothing.
  await createPost(owner, { title: makeSamplePost(11).title, externalId: 'sample-11' });
  await createPost(owner, { title: makeSamplePost(0).title });
  assert.equal(await seedBoard(context, SETUP_POSTS), SETUP_POSTS - 1);
  const [renamed = ''] = await findUntouchedSamples(context);
  await updatePost(owner, renamed, { title: 'Our own now' });
  await removeSample(owner);
  await removeSample(owner);
  const { posts, changelog } = await ask('{ posts { nodes { title } } changelog { nodes { title } } }');
  const titles = posts.nodes.map(({ title }: { title: string }) => title);
  assert.deepEqual(titles.sort(), ['Our own now', makeSamplePost(0).title, makeSamplePost(11).title].sort());
  assert.deepEqual(changelog.nodes, []);
  assert.equal(await seedBoard(context, SETUP_POSTS), SETUP_POSTS - 2);
  assert.equal(await seedBoard(context, SETUP_POSTS), 0);
  const again = await ask('{ posts(limit: 100) { totalCount } changelog { nodes { posts { nodes { id } } } } }');
  assert.equal(again.posts.totalCount, SETUP_POSTS + 1);
  assert.equal(again.changelog.nodes.length, 3);
});
