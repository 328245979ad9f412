import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makeScene, startNotifying, statusId } from '../../../test/support/notifying.ts';
import { testWebhooks } from '../../../test/support/webhooks.ts';
import { callOf } from '../../../test/support/workers.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { runDry } from './dry-run.ts';

/** The answer to a request that is run dry. */
async function dry({ app, key }: TestApp, query: string, variables = {}, as = 'ada') {
  const headers = { 'content-type': 'application/json', apikey: key, ssotype: 'SSO', ssoid: as, 'dry-run': 'true' };
  const response = await app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers,
    payload: { query, variables },
  });
  return response.json();
}

const MOVE = `mutation($id: String!, $status: String!) {
  changePostStatus(postId: $id, statusType: CUSTOM, statusId: $status) { status { name } }
}`;

testBoth(
  'a dry run counts the users that the change then notifies, and answers as the change would',
  async (app, t) => {
    const { id } = await makeScene(app);
    const notifying = await startNotifying(t, app);
    await notifying.deliverAfter();
    const variables = { id, status: await statusId(app) };
    const { data, extensions } = await dry(app, MOVE, variables, 'mod');
    assert.equal(data.changePostStatus.status.name, 'Planned');
    const { notified, mailed, isMinimum, events, deliveries } = extensions.dryRun;
    assert.deepEqual([isMinimum, deliveries], [false, 0]);
    assert.deepEqual(events, [{ type: 'post.status.updated', postId: id }]);
    assert.deepEqual(await notifying.recipients(), []);
    await app.ask(MOVE, variables, { as: 'mod' });
    const recipients = await notifying.recipients();
    assert.deepEqual([notified, mailed], [recipients.length, recipients.length]);
    assert.ok(mailed > 3);
  },
);

testBoth('a dry run is refused as the change would be, and takes part in no idempotency', async (app) => {
  await app.makeUser('mia');
  const id = await app.makePost('Dark mode');
  const lock = 'mutation($id: String!) { updatePost(id: $id, isLocked: true) { node { isLocked } } }';
  const refused = await dry(app, lock, { id }, 'mia');
  assert.equal(refused.errors[0].extensions.code, 'FORBIDDEN');
  assert.deepEqual(refused.extensions.dryRun.changes, []);
  const headers = { 'dry-run': 'true', 'idempotency-key': 'k1' };
  await app.ask(lock, { id }, { headers });
  const real = await app.ask(lock, { id }, { headers: { 'idempotency-key': 'k1' } });
  assert.equal(real.updatePost.node.isLocked, true);
  const unknown = await app.gql(lock, { id }, { headers: { 'dry-run': 'maybe' } });
  assert.equal(unknown.errors[0]?.message, 'Dry-Run must be true');
});

testBoth('a change for which a dry run has no time left is refused', async (app) => {
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const takeTime = (ms: number) =>
    runDry(
      { ...callOf(app), actor: null },
      ({ db }) =>
        db.transaction(async (tx) => {
          await wait(ms);
          return withinTransaction(db, tx).transaction(async () => ({ data: null }));
        }),
      500,
    );
  assert.deepEqual((await takeTime(0)).result, { data: null });
  await assert.rejects(takeTime(501), /This changes more than a dry run can try/);
});

testBoth('members do not learn from a dry run how many users follow a post', async (app) => {
  const { id } = await makeScene(app);
  await app.makeUser('eve');
  const comment = 'mutation($id: String!) { createComment(postId: $id, text: "Why?") { id } }';
  const { data, extensions } = await dry(app, comment, { id }, 'eve');
  assert.ok(data.createComment.id);
  const { events, ...counts } = extensions.dryRun;
  assert.deepEqual(events, [{ type: 'comment.created', postId: id }]);
  assert.deepEqual(counts, { changes: [], deliveries: 0, notified: 0, mailed: 0, isMinimum: true });
  const ofTeam = await dry(app, comment, { id }, 'mod');
  assert.ok(ofTeam.extensions.dryRun.notified > 0);
});

testBoth('only a few dry runs of a board wait at a time, so that those of others have their turn', async (app) => {
  const other = await app.makeBoard();
  const key = await app.makeKey({}, other);
  await app.makeUser('eve', 'OWNER', { key });
  const headers = { 'dry-run': 'true' };
  const create = 'mutation { createPost(title: "Dark mode") { number } }';
  const many = Array.from({ length: 20 }, () => app.gql(create, {}, { headers }));
  const ofOther = app.gql(create, {}, { headers, key, as: 'eve' });
  const answers = await Promise.all(many);
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0 && refused.length <= 12, `${refused.length} are refused`);
  assert.equal(refused[0]?.errors[0]?.message, 'Too many dry runs at a time: wait for one of them');
  assert.equal(refused[0]?.headers['retry-after'], '1');
  assert.ok(answers.every(({ status, data }) => status === 429 || data.createPost.number === 1));
  assert.equal((await ofOther).errors.length, 0);
  assert.equal((await app.gql(create, {}, { headers })).data.createPost.number, 1);
});

testWebhooks('a dry run counts deliveries, and delivers nothing', async (app) => {
  const { id } = await app.makeWebhook();
  await app.makeWebhook({ events: ['comment.created'] });
  const create = 'mutation { createPost(title: "Dark mode") { number } }';
  const { data, extensions } = await dry(app, create);
  assert.equal(data.createPost.number, 1);
  const { events, deliveries } = extensions.dryRun;
  assert.deepEqual([events.length, events[0].type, deliveries], [1, 'post.created', 1]);
  await app.pass();
  assert.deepEqual(app.takeEvents(), []);
  assert.deepEqual(await app.deliveries(id), []);
  assert.equal((await app.ask(create)).createPost.number, 1);
  await app.pass();
  assert.deepEqual(
    app.takeEvents().map(({ event }) => event),
    ['post.created'],
  );
});
