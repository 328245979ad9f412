import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import type { BoardRow } from '../board/board.ts';
import { findUser } from '../users/users.ts';
import { type BoardChanges, changeBoard } from './settings.ts';

testBoth('the host of a board is neither that of the server nor of another board', async (app) => {
  const { db, clock, board } = app;
  const other = await app.makeBoard();
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
  assert.ok(actor);
  const change = (of: BoardRow, changes: BoardChanges, baseUrl = 'https://Board.Example:8443/ideas') =>
    changeBoard({ db, clock, baseUrl, board: of, actor }, changes);
  for (const domain of ['board.example', ' BOARD.example ']) {
    await assert.rejects(change(board, { domain }), {
      code: 'BAD_REQUEST',
      extensions: { code: 'BAD_REQUEST', field: 'domain' },
    });
  }
  assert.equal((await change(board, { domain: 'ideas.board.example' })).domain, 'ideas.board.example');
  await assert.rejects(change(other, { domain: 'Ideas.board.example' }), /Another board has the host/);
  assert.equal((await change(board, { domain: 'ideas.board.example' })).domain, 'ideas.board.example');
  assert.equal((await change(board, { domain: '' })).domain, null);
  const both = await Promise.allSettled([board, other].map((of) => change(of, { domain: 'one.example' })));
  assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

testBoth('the color of a board is kept with six digits, in whatever form it was stored', async (app) => {
  const { db, clock, board } = app;
  const actor = await findUser(db.read, board.id, { ssoType: 'SSO', ssoId: 'ada' });
  assert.ok(actor);
  const change = async (brandColor: string) =>
    (await changeBoard({ db, clock, baseUrl: 'http://board.test', board, actor }, { brandColor })).brand_color;
  assert.equal(await change(' #4B54bf '), '#4b54bf');
  assert.equal(await change('#fA0'), '#ffaa00');
  for (const wrong of ['', 'red', '#12', '#1234', '#12345', '#1234567', '4b54bf', '#4b54bg']) {
    await assert.rejects(change(wrong), { code: 'BAD_REQUEST', extensions: { code: 'BAD_REQUEST', field: 'color' } });
  }
});
