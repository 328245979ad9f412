import assert from 'node:assert/strict';
import { testBoth } from '../../test/support/app.ts';
import { makeId } from '../platform/lib/ids.ts';
import { EMPTIED_AT_ONCE, emptyEvents } from './events.ts';

testBoth('redacted events keep only what they are about, however many there are', async (app) => {
  const { db, board } = app;
  for (const count of [EMPTIED_AT_ONCE - 1, EMPTIED_AT_ONCE, EMPTIED_AT_ONCE + 1]) {
    const [postId, other] = [makeId(), makeId()];
    const event = (n: number) => ({
      board_id: board.id,
      seq: count * 1_000 + n,
      id: makeId(),
      type: n % 2 === 0 ? 'post.created' : 'comment.created',
      triggered_at: n,
      post_id: n === count ? other : postId,
      actor_id: null,
      comment_id: n % 2 === 0 ? null : `comment-${n}`,
      body: '{"secret":"ü"}',
    });
    await db.transaction(async (tx) => {
      await tx
        .insertInto('events')
        .values(Array.from({ length: count + 1 }, (_, n) => event(n)))
        .execute();
      await emptyEvents(tx, board.id, postId);
    });
    const query = db.read
      .selectFrom('events')
      .select(['body', 'comment_id', 'seq'])
      .where('seq', '>=', count * 1_000);
    const [first, second, ...rest] = await query.orderBy('seq').execute();
    const frame = (type: string, at: number) =>
      `{"event":"${type}","boardId":"${board.id}","triggeredAt":"1970-01-01T00:00:00.00${at}Z","data":`;
    const post = `{"id":"${postId}"}`;
    assert.equal(first?.body, `${frame('post.created', 0)}{"post":${post}}}`);
    assert.equal(second?.body, `${frame('comment.created', 1)}{"comment":{"id":"comment-1","post":${post}}}}`);
    assert.equal(second?.comment_id, null);
    assert.deepEqual(
      rest.filter(({ body }) => body.includes('secret')).map(({ seq }) => seq),
      [count * 1_001],
    );
  }
});
