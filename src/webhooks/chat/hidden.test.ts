import assert from 'node:assert/strict';
import { publishNew, UNPUBLISH } from '../../../test/support/changelog.ts';
import { textsIn } from '../../../test/support/chat-forms.ts';
import { HIDE, linesOf, MOVE, makeChat, statusNamed, takeMessages } from '../../../test/support/chats.ts';
import { DELETE_POST, makeTag, SET_TAGS, UPDATE_TAG } from '../../../test/support/tags.ts';
import { callOf, comment, testWebhooks } from '../../../test/support/webhooks.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { disableWebhook, enableWebhook } from '../managing/enabling.ts';
import { replayDelivery } from '../managing/replaying.ts';

const INTERNAL =
  'mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text, type: INTERNAL) { id } }';

testWebhooks('what visitors may not see never reaches a chat', async (app) => {
  const { id: webhookId } = await makeChat(app, 'SLACK');
  const planned = await statusNamed(app, 'Planned');
  const id = await app.makePost('Public');
  await app.pass();
  app.takeEvents();
  await app.ask(HIDE, { id: planned, postVisibility: 'TEAM' });
  await app.ask(INTERNAL, { id, text: 'internal words' });
  await app.ask(MOVE, { id, statusId: planned });
  await comment(app, id, 'on a hidden post');
  await app.pass();
  assert.deepEqual(app.takeEvents(), []);
  const skipped = (await app.deliveries(webhookId)).filter(({ state }) => state === 'skipped');
  assert.deepEqual(new Set(skipped.map(({ outcome }) => outcome)), new Set(['not public']));
  await app.ask(MOVE, { id, statusId: await statusNamed(app, 'In progress') });
  await app.pass();
  const [back] = linesOf(takeMessages(app, 'SLACK'));
  assert.match(back ?? '', /\nStatus: In progress\n/);
  assert.doesNotMatch(back ?? '', /Planned/);
  // What was deleted or withdrawn before a message was worded is not told either.
  await disableWebhook(callOf(app), webhookId);
  await app.db.transaction((tx) => tx.updateTable('webhooks').set({ takes_events: 1 }).execute());
  const gone = await app.makePost('Gone');
  await app.ask(DELETE_POST, { id: gone });
  await app.ask(UNPUBLISH, { id: await publishNew(app, { title: 'Withdrawn' }) });
  await enableWebhook(callOf(app), app.sender, webhookId, 'deliver');
  await app.pass();
  assert.doesNotMatch(textsIn(takeMessages(app, 'SLACK')).join(), /Gone|Withdrawn/);
});

testWebhooks('what is hidden between two attempts does not reach a chat with the next', async (app) => {
  const { id: webhookId } = await makeChat(app, 'TEAMS');
  app.reply(() => 503);
  const id = await app.makePost('Hidden soon');
  await app.pass();
  assert.match(textsIn(takeMessages(app, 'TEAMS')).join(), /Hidden soon/);
  const other = await app.makePost('Public');
  const statusId = await statusNamed(app, 'Planned');
  await app.ask(HIDE, { id: statusId, postVisibility: 'TEAM' });
  await app.ask(MOVE, { id, statusId });
  app.reply(() => 200);
  await app.pass(HOUR_MS);
  await app.pass(HOUR_MS);
  const texts = takeMessages(app, 'TEAMS').map((message) => textsIn(message).join());
  assert.match(texts.join(), /Public/);
  assert.doesNotMatch(texts.join(), /Hidden soon/);
  const ended = async (postId: string) =>
    (await app.deliveries(webhookId))
      .filter(({ post_id }) => post_id === postId)
      .map(({ state, outcome, body }) => [state, outcome, body !== null]);
  const skipped = ['skipped', 'not public', false];
  assert.deepEqual(await ended(id), [skipped, skipped]);
  assert.deepEqual(await ended(other), [['delivered', 'delivered', true]]);
  // A replay writes the message anew, once the idea is public again.
  const [first] = await app.deliveries(webhookId);
  await replayDelivery(callOf(app), first?.id ?? '');
  await app.pass();
  assert.deepEqual(app.takeEvents(), []);
  await app.ask(HIDE, { id: statusId, postVisibility: 'PUBLIC' });
  await replayDelivery(callOf(app), first?.id ?? '');
  await app.pass();
  assert.match(textsIn(takeMessages(app, 'TEAMS')).join(), /Hidden soon/);
});

testWebhooks('a status or tag that is hidden after the event is named by no attempt', async (app) => {
  const { id: webhookId } = await makeChat(app, 'SLACK');
  const id = await app.makePost('Public');
  const other = await app.makePost('Also public');
  const [planned, progress] = [await statusNamed(app, 'Planned'), await statusNamed(app, 'In progress')];
  const tagId = await makeTag(app, 'Secret plan');
  await app.ask(MOVE, { id, statusId: planned });
  await app.pass();
  app.takeEvents();
  app.reply(() => 503);
  await app.ask(MOVE, { id, statusId: progress });
  await app.ask(SET_TAGS, { id: other, tagIds: [tagId, await makeTag(app, 'Design')] });
  await app.pass();
  await app.pass(HOUR_MS);
  const first = linesOf(takeMessages(app, 'SLACK')).join();
  for (const named of [/Planned → In progress/, /Tags: Design, Secret plan/]) assert.match(first, named);
  await app.ask(MOVE, { id: other, statusId: planned });
  await app.ask(MOVE, { id: other, statusId: progress });
  await app.ask(HIDE, { id: planned, postVisibility: 'TEAM' });
  await app.ask(UPDATE_TAG, { id: tagId, isPrivate: true });
  app.reply(() => 200);
  for (let n = 0; n < 3; n++) await app.pass(HOUR_MS);
  const facts = linesOf(takeMessages(app, 'SLACK')).map((text) => text.split('\n')[1]);
  assert.deepEqual(facts.toSorted(), ['Status: In progress', 'Status: In progress', 'Tags: Design']);
  assert.deepEqual(
    (await app.deliveries(webhookId)).flatMap(({ state, body }) => (/Planned|Secret/.test(body ?? '') ? [state] : [])),
    ['delivered'],
  );
});
