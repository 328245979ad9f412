import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
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
