import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { publishNew } from '../../../test/support/changelog.ts';
import { deleteBoard, tablesOfBoards } from './delete.ts';

testBoth('a deleted board leaves no row in any table, and other boards keep theirs', async (app) => {
  const { db, board } = app;
  const other = await app.makeBoard();
  const otherKey = await app.makeKey({}, other);
  await app.makeUser('ada', undefined, { key: otherKey });
  await app.makePost('Stays', { key: otherKey });
  const id = await app.makePost('Goes');
  await app.api.createComment({ postId: id, text: 'Too' });
  await app.api.addChangelogReaction({ id: await publishNew(app, { postIds: [id] }), reaction: 'HEART' });
  await db.transaction((tx) => deleteBoard(tx, board.id));

  const tables = await db.read.introspection.getTables();
  const ofBoards = tables.filter((table) => table.columns.some((column) => column.name === 'board_id'));
  assert.deepEqual(ofBoards.map((table) => table.name).sort(), [...tablesOfBoards].sort());
  app.clock.advance(5_000); // keys are read again every three seconds
  assert.equal((await app.gql('{ board { id } }')).status, 401);
  const posts = await app.api.as({ key: otherKey }).posts({}, { nodes: { title: true } });
  assert.deepEqual(posts.nodes, [{ title: 'Stays' }]);
});
