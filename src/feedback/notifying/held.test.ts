import assert from 'node:assert/strict';
import type { CommentModerationStatus, PostModerationStatus, PostVisibility } from '../../../sdk/src/schema.ts';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { addUsers, makeScene, startNotifying, statusId } from '../../../test/support/notifying.ts';
import { statusNamed } from '../../../test/support/statuses.ts';
import { setRole } from '../../identity/users/users.ts';

/** From now on all that members write waits for a moderator. */
async function askForApproval({ db, clock }: TestApp): Promise<void> {
  await db.transaction((tx) => tx.updateTable('boards').set({ approval: 'ALL' }).execute());
  clock.advance(5_000); // what is known of the board is a few seconds old
}

const moderateComment = ({ api }: TestApp, id: string, moderationStatus: CommentModerationStatus) =>
  api.as('mod').changeCommentModerationStatus({ id, moderationStatus });
const moderatePost = ({ api }: TestApp, id: string, moderationStatus: PostModerationStatus) =>
  api.as('mod').changePostModerationStatus({ id, moderationStatus });

testBoth('a held comment notifies its audience, once, when it is released', async (app, t) => {
  const { comment, act, first } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await act('subscribeToPost', 'mod');
  await askForApproval(app);
  const id = await comment('newcomer', { text: 'Held', op: false, parent: first });
  assert.deepEqual(await notifying.recipients(), []);
  await act('upvotePost', 'ada');
  await act('subscribeToPost', 'ada'); // follows before it is released
  await moderateComment(app, id, 'APPROVED');
  const mails = await notifying.deliverAfter();
  const to = mails.map(({ to }) => to[0]).sort();
  assert.deepEqual(to, ['fan@example.com', 'talker@example.com'], 'ada has no address, and mod has read it');
  const toTalker = mails.find(({ to }) => to[0] === 'talker@example.com');
  assert.match(toTalker?.text ?? '', /newcomer:\n> Held/);
  assert.match(toTalker?.text ?? '', /because someone replied to you/);
  for (const status of ['PENDING', 'REJECTED', 'APPROVED', 'FLAGGED', 'APPROVED'] as const) {
    await moderateComment(app, id, status);
    assert.deepEqual(await notifying.recipients(), [], status);
  }
});

testBoth('a rejected comment sends no notifications, unless it is released after all', async (app, t) => {
  const { comment } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await askForApproval(app);
  const id = await comment('newcomer');
  await moderateComment(app, id, 'REJECTED');
  assert.deepEqual(await notifying.recipients(), []);
  await moderateComment(app, id, 'APPROVED');
  assert.deepEqual(await notifying.recipients(), ['author', 'fan', 'talker']);
  const other = await comment('newcomer');
  await moderateComment(app, other, 'REJECTED');
  assert.deepEqual(await notifying.recipients(), []);
});

testBoth('a held comment that a merge has moved notifies the followers of where it is now', async (app, t) => {
  const { id, comment, act } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  await askForApproval(app);
  const held = await comment('newcomer', { text: 'Held' });
  const target = await app.makePost('Themes', { as: 'mod' });
  await act('unsubscribeFromPost', 'fan');
  await app.api.as('mod').mergePosts({ sourceIds: [id], targetId: target });
  await notifying.deliverAfter();
  await moderateComment(app, held, 'APPROVED');
  const mails = await notifying.deliverAfter();
  assert.deepEqual(mails.map(({ to }) => to[0]).sort(), ['author@example.com', 'talker@example.com']);
  assert.ok(mails.every(({ headers }) => headers.subject === 'New comment: Themes'));
});

testBoth('a mail after a merge contains nothing that its reader cannot see any more', async (app, t) => {
  const { id, comment } = await makeScene(app);
  const notifying = await startNotifying(t, app);
  const [open, closed] = [await app.makePost('Themes', { as: 'mod' }), await app.makePost('Plans', { as: 'mod' })];
  const setVisibility = async (name: string, postVisibility: PostVisibility) =>
    app.api.updateStatus({ id: await statusNamed(app, name), postVisibility });
  const merge = (target: string) => app.api.mergePosts({ sourceIds: [id], targetId: target });
  await setVisibility('Merged', 'TEAM');
  await merge(open);
  const mails = await notifying.deliverAfter();
  const [mail] = mails.filter(({ to }) => to[0] === 'fan@example.com');
  assert.match(mail?.text ?? '', /Another idea was merged into this one/);
  assert.ok(mails.every(({ to, raw }) => !raw.includes('Dark mode') || to[0] === 'mod@example.com'));

  await app.api.unmergePost({ id });
  await setVisibility('Merged', 'PUBLIC');
  await app.api.changePostStatus({ postId: closed, statusType: 'CUSTOM', statusId: await statusId(app) });
  await setVisibility('Planned', 'TEAM');
  await notifying.deliverAfter();
  await comment('newcomer', { text: 'Soon inside' });
  await merge(closed);
  const later = await notifying.deliverAfter();
  assert.deepEqual(
    later.filter(({ raw }) => raw.includes('Soon inside')),
    [],
  );
});

testBoth('a held post notifies those of the team who want to know of new ones when it is released', async (app, t) => {
  await addUsers(app, 'author', 'mod', 'lead');
  for (const ssoId of ['mod', 'lead']) await setRole(app, { ssoType: 'SSO', ssoId }, 'MODERATOR');
  const choice = { email_on_new_post: 1 as const };
  await app.db.transaction((tx) =>
    tx.updateTable('users').set(choice).where('sso_id', 'in', ['mod', 'lead']).execute(),
  );
  const notifying = await startNotifying(t, app);
  await askForApproval(app);
  const [released, rejected] = [
    await app.makePost('Dark mode', { as: 'author' }),
    await app.makePost('Cheap pills', { as: 'author' }),
  ];
  assert.deepEqual(await notifying.recipients(), []);
  await moderatePost(app, rejected, 'REJECTED');
  await moderatePost(app, released, 'APPROVED');
  const [mail, ...others] = await notifying.deliverAfter();
  assert.deepEqual([mail?.to, mail?.headers.subject, others.length], [['lead@example.com'], 'New idea: Dark mode', 0]);
  await moderatePost(app, released, 'PENDING');
  await moderatePost(app, released, 'APPROVED');
  assert.deepEqual(await notifying.recipients(), []);
});
