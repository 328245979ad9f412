import assert from 'node:assert/strict';
import { publishNew } from '../../../test/support/changelog.ts';
import { textsIn } from '../../../test/support/chat-forms.ts';
import { linesOf, makeChat, takeMessages } from '../../../test/support/chats.ts';
import { statusNamed } from '../../../test/support/statuses.ts';
import { makeTag } from '../../../test/support/tags.ts';
import { callOf, comment, testWebhooks } from '../../../test/support/webhooks.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { disableWebhook, enableWebhook } from '../managing/enabling.ts';
import { replayDelivery } from '../managing/replaying.ts';

testWebhooks('what visitors may not see never reaches a chat', async (app) => {
  const { id: webhookId } = await makeChat(app, 'SLACK');
  const planned = await statusNamed(app, 'Planned');
  const id = await app.makePost('Public');
  await app.pass();
  app.takeEvents();
  await app.api.updateStatus({ id: planned, postVisibility: 'TEAM' });
  await app.api.createComment({ postId: id, text: 'internal words', type: 'INTERNAL' });
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned });
  await comment(app, id, 'on a hidden post');
  await app.pass();
  assert.deepEqual(app.takeEvents(), []);
  const skipped = (await app.deliveries(webhookId)).filter(({ state }) => state === 'skipped');
  assert.deepEqual(new Set(skipped.map(({ outcome }) => outcome)), new Set(['not public']));
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: await statusNamed(app, 'In progress') });
  await app.pass();
  const [back] = linesOf(takeMessages(app, 'SLACK'));
  assert.match(back ?? '', /\nStatus: In progress\n/);
  assert.doesNotMatch(back ?? '', /Planned/);
  // What was deleted or withdrawn before a message was worded is not told either.
  await disableWebhook(callOf(app), webhookId);
  await app.db.transaction((tx) => tx.updateTable('webhooks').set({ takes_events: 1 }).execute());
  const gone = await app.makePost('Gone');
  await app.api.deletePost({ postId: gone });
  await app.api.unpublishChangelogEntry({ id: await publishNew(app, { title: 'Withdrawn' }) });
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
  await app.api.updateStatus({ id: statusId, postVisibility: 'TEAM' });
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId });
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
  await app.api.updateStatus({ id: statusId, postVisibility: 'PUBLIC' });
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
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: planned });
  await app.pass();
  app.takeEvents();
  app.reply(() => 503);
  await app.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: progress });
  await app.api.updatePost({ id: other, tagIds: [tagId, await makeTag(app, 'Design')] });
  await app.pass();
  await app.pass(HOUR_MS);
  const first = linesOf(takeMessages(app, 'SLACK')).join();
  for (const named of [/Planned → In progress/, /Tags: Design, Secret plan/]) assert.match(first, named);
  await app.api.changePostStatus({ postId: other, statusType: 'CUSTOM', statusId: planned });
  await app.api.changePostStatus({ postId: other, statusType: 'CUSTOM', statusId: progress });
  await app.api.updateStatus({ id: planned, postVisibility: 'TEAM' });
  await app.api.updateTag({ id: tagId, isPrivate: true });
  app.reply(() => 200);
  for (let n = 0; n < 3; n++) await app.pass(HOUR_MS);
  const facts = linesOf(takeMessages(app, 'SLACK')).map((text) => text.split('\n')[1]);
  assert.deepEqual(facts.toSorted(), ['Status: In progress', 'Status: In progress', 'Tags: Design']);
  assert.deepEqual(
    (await app.deliveries(webhookId)).flatMap(({ state, body }) => (/Planned|Secret/.test(body ?? '') ? [state] : [])),
    ['delivered'],
  );
});
