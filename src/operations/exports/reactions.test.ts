import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';
import { csvOf, jsonOf } from '../../../test/support/export.ts';

type Row = { row: string; reactions?: object[]; user?: { ssoId: string } };

testBoth(
  'reactions stand after the comments that they are on: who reacted for the team, how many for all',
  async (app) => {
    await app.makeUser('bob');
    const [first, second] = [await app.makePost('First'), await app.makePost('Second')];
    const add = async (id: string, text: string) => (await app.api.createComment({ postId: id, text })).id;
    const comments = [await add(first, 'Soon'), await add(first, 'Later'), await add(second, 'Never')];
    for (const as of ['ada', 'bob'])
      await app.api.as(as).addCommentReaction({ id: comments[0] ?? '', reaction: 'HEART' });
    await app.api.as('bob').addCommentReaction({ id: comments[0] ?? '', reaction: 'EYES' });
    await app.api.as('bob').addCommentReaction({ id: comments[2] ?? '', reaction: 'LAUGH' });
    await app.api.upvotePost({ postId: first });
    const rowsOf = async (as: string | null) => (await jsonOf(app, { as, query: 'comments=true&votes=true' })) as Row[];
    const kinds = (rows: readonly Row[]) => rows.map(({ row }) => row).join(' ');
    const counts = [
      [
        { reaction: 'HEART', count: 2 },
        { reaction: 'EYES', count: 1 },
      ],
      [],
      [{ reaction: 'LAUGH', count: 1 }],
    ];
    for (const as of [null, 'bob']) {
      const rows = await rowsOf(as);
      assert.equal(kinds(rows), 'post comment comment vote post comment', `${as}`);
      const shown = rows.filter(({ row }) => row === 'comment').map(({ reactions }) => reactions);
      assert.deepEqual(shown, counts);
    }
    const rows = await rowsOf('ada');
    const reaction = 'commentReaction';
    const ofFirst = ['post comment comment', reaction, reaction, reaction, 'vote'].join(' ');
    assert.equal(kinds(rows), `${ofFirst} post comment ${reaction}`);
    const last = rows.at(-1);
    const now = new Date(app.clock.now()).toISOString();
    assert.deepEqual(
      { ...last, user: last?.user?.ssoId },
      { row: reaction, postId: second, commentId: comments[2], reaction: 'LAUGH', user: 'bob', dateCreated: now },
    );
    assert.equal((await csvOf(app, { as: 'ada', query: 'comments=true' })).length, 6);
  },
);
