import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { carryOutErasures, SETTLE_MS } from '../../src/operations/erasures/worker.ts';
import type { Db } from '../../src/platform/db/db.ts';
import type { MailTransport } from '../../src/platform/mail/transport.ts';
import type { TestApp } from './app.ts';
import { publishNew } from './changelog.ts';

/** Erases a person. */
export const DELETE = `mutation($id: String!, $type: SSOTypes, $keep: Boolean) {
  deleteUser(ssoId: $id, ssoType: $type, keepContent: $keep) {
    id ssoId name email bio image attributes role isAPIUser posts { totalCount } comments { nodes { id } } votes { nodes { id } }
  }
}`;

/** Where no mail goes. */
export const nowhere: MailTransport = { send: async () => {}, forget: async () => {}, close() {} };

/** Lets the background do all that it has to do for those who were erased. */
export async function finish(app: TestApp, transport = nowhere): Promise<void> {
  const deps = { db: app.db, clock: app.clock, baseUrl: 'http://board.test', transport };
  assert.equal(await carryOutErasures(deps), false);
  app.clock.advance(SETTLE_MS);
  assert.equal(await carryOutErasures(deps), true);
}

/** Every place of the store, as `table.column`, where one of the texts is found. */
export async function findTexts(db: Db, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { name: table, columns } of await db.read.introspection.getTables()) {
    for (const { name: column } of columns) {
      for (const text of texts) {
        const { rows } = await sql`select 1 from ${sql.table(table)}
          where lower(cast(${sql.ref(column)} as text)) like ${`%${text.toLowerCase()}%`} limit 1`.execute(db.read);
        if (rows.length > 0) found.push(`${table}.${column} has ${text}`);
      }
    }
  }
  return found;
}

/** What is known of the person, and how to find it. */
export const secrets = {
  name: 'Zoraya Quell',
  email: 'zoraya@quell.example',
  bio: 'Keeper of bees',
  imageUrl: 'https://faces.example/zoraya.png',
  attributes: { employer: 'Hexagon Honey', pets: ['Buzzwig'] },
};
export const texts = ['zoraya', 'quell', 'keeper of bees', 'faces.example', 'hexagon', 'buzzwig', 'zq-77'];

/** A member of the team who has left traces wherever people can; returns their id. */
export async function leaveTraces(app: TestApp): Promise<{ id: string; postId: string }> {
  const { api, ask, gql, db, clock, board } = app;
  const register = `mutation($name: String, $email: String, $bio: String, $imageUrl: String, $attributes: JSON) {
    createUser(ssotype: "SSO", userId: "zq-77", name: $name, email: $email, bio: $bio, imageUrl: $imageUrl, attributes: $attributes) {
      id name email bio image attributes ssoId
    }
  }`;
  const { id } = (await ask(register, secrets, { headers: { 'idempotency-key': 'register' } })).createUser;
  await api.changeTeamUserRole({ ssoId: 'zq-77', role: 'ADMIN' });
  const as = { as: 'zq-77' };
  const context = { db, clock, baseUrl: 'http://board.test', board };
  await db.transaction(async (tx) => {
    await tx
      .insertInto('accounts')
      .values({
        id: ACCOUNT,
        email: secrets.email,
        name: secrets.name,
        image: null,
        is_email_verified: 1,
        is_second_factor_on: 0,
        date_created: 0,
        date_updated: 0,
      })
      .execute();
    const subscription = { id: 'subscription', address: secrets.email, labels: '', locale: 'en', date_created: 0 };
    await tx
      .insertInto('changelog_subscribers')
      .values({ board_id: board.id, ...subscription })
      .execute();
    const session = { id: 'session', account_id: ACCOUNT, token: 'token', address: null, user_agent: null };
    await tx
      .insertInto('sessions')
      .values({ ...session, date_created: 0, date_updated: 0, date_expires: 9e15 })
      .execute();
    const value = JSON.stringify({ email: secrets.email, name: secrets.name });
    await tx
      .insertInto('verifications')
      .values({ id: 'v', identifier: 'hash', value, date_created: 0, date_updated: 0, date_expires: 9e15 })
      .execute();
    await tx.updateTable('users').set({ account_id: ACCOUNT }).where('id', '=', id).execute();
    for (const [mailId, recipient, body] of [
      [MAIL, secrets.email, 'Sign in'],
      [`${MAIL.slice(0, -1)}4`, 'before@example.com', `Hello ${secrets.name},\n\nsign in`],
      [`${MAIL.slice(0, -1)}5`, 'before@example.com', `A visitor asked to sign in with ${secrets.email}`],
    ] as const) {
      const mail = { board_id: board.id, id: mailId, subject: 'Hello', recipient, body, named_id: null };
      await tx
        .insertInto('mails')
        .values({ ...mail, state: 'sent', date_created: 0, date_due: 0 })
        .execute();
    }
  });
  await api.as(as).addTeamUser({ emails: ['eve@example.com'], type: 'MODERATOR' });
  await api.addTeamUser({ emails: [secrets.email], type: 'MODERATOR' });
  assert.ok(context);
  const postId = await app.makePost('Their post', as);
  const others = await app.makePost('Post of ada');
  const merged = await app.makePost('Melted', as);
  const all = `mutation($own: String!, $id: String!, $merged: String!) {
    upvotePost(postId: $id) { id } own: upvotePost(postId: $own) { id }
    c: createComment(postId: $id, text: "A comment") { id user { name } }
    d: createComment(postId: $id, text: "Deleted", type: INTERNAL) { id }
    changePostStatus(postId: $id, statusType: COMPLETED) { id }
    changePostModerationStatus(id: $id, moderationStatus: FLAGGED) { id }
    assignPost(postId: $id, user: { ssotype: "SSO", userId: "ada" }) { id }
    other: assignPost(postId: $own, user: { ssotype: "SSO", userId: "zq-77" }) { id }
    v: upvotePost(postId: $own, voter: { ssotype: "SSO", userId: "ada" }) { id }
    createTag(name: "Bug") { id }
    mergePosts(sourceIds: [$merged], targetId: $id) { id }
  }`;
  const options = { ...as, headers: { 'idempotency-key': 'all' } };
  const answer = await ask(all, { own: postId, id: others, merged }, options);
  await api.as(as).deleteComment({ id: answer.d.id });
  await api.as(as).changeCommentModerationStatus({ id: answer.c.id, moderationStatus: 'FLAGGED' });
  const entry = await publishNew(app, { text: 'Their entry', postIds: [others] }, as);
  await api.as(as).addChangelogReaction({ id: entry, reaction: 'HEART' });
  await api.addChangelogReaction({ id: entry, reaction: 'HEART' });
  const gone = await app.makePost('Gone', as);
  await api.as(as).deletePost({ postId: gone });
  await app.makeKey({ name: 'theirs', defaultUserId: id });
  await addDelivery(app, id);
  await api.createUser({ ssoType: 'SSO', ssoId: 'mia' });
  assert.deepEqual((await gql('{ users { name } }', {}, as)).errors, []);
  return { id, postId };
}

export const ACCOUNT = '01a1fca3-3336-7723-96f3-a2fb29dd7632';
export const MAIL = '01a1fca3-3336-7723-96f3-a2fb29dd7633';

/** A delivery of the person's first event, to a receiver that answers with what it got. */
async function addDelivery({ db, board }: TestApp, userId: string): Promise<void> {
  const query = db.read.selectFrom('events').selectAll().where('actor_id', '=', userId).orderBy('seq').limit(1);
  const event = await query.executeTakeFirstOrThrow();
  await db.transaction((tx) =>
    tx
      .insertInto('attempts')
      .values({
        board_id: board.id,
        id: 'attempt',
        webhook_id: 'webhook',
        delivery_id: `${event.id}-123456789012`,
        number: 1,
        kind: 'event',
        host: null,
        outcome: 'answered 500',
        diagnosis: `It answered 500: ${secrets.name}`,
        said: JSON.stringify([['It answered 500: {0}', secrets.name]]),
        status: 500,
        request: '{}',
        answer: JSON.stringify({ status: 500, headers: [['x-who', secrets.name]], body: event.body, isCut: false }),
        timings: '{}',
        date_created: 0,
      })
      .execute(),
  );
}
