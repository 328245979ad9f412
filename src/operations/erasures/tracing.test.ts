import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { recount } from '../../../test/crash/recount.ts';
import { testBoth } from '../../../test/support/app.ts';
import { onEnd } from '../../../test/support/cleanup.ts';
import {
  ACCOUNT,
  DELETE,
  findTexts,
  finish,
  leaveTraces,
  nowhere,
  secrets,
  texts,
} from '../../../test/support/erasing.ts';
import { makeLog } from '../../platform/lib/log.ts';
import { makeTransport } from '../../platform/mail/transport.ts';
import { columnsOfPeople, furtherColumnsOfPeople } from './columns.ts';
import { startErasing } from './worker.ts';

testBoth('nothing that was known of an erased person remains in any column of any table', async (app) => {
  const { id, postId } = await leaveTraces(app);
  await app.makeUser('bob');
  await app.api.as('bob').createComment({ postId, text: 'Ask @Zoraya Quell!' });
  const before = await findTexts(app.db, [...texts, id]);
  for (const place of [
    'comments.text',
    'events.body',
    'mails.body',
    'notices.details',
    'attempts.answer',
    'idempotency_keys.answer',
    'verifications.value',
  ]) {
    assert.ok(
      before.some((found) => found.startsWith(place)),
      `the test leaves a trace in ${place}`,
    );
  }
  const counts = '{ posts(sort: OLDEST) { nodes { title upvoteCount commentCount } } }';
  const counted = await app.ask(counts);
  const { deleteUser } = await app.ask(DELETE, { id: 'zq-77' });
  assert.deepEqual(deleteUser, {
    id,
    ssoId: null,
    name: null,
    email: null,
    bio: null,
    image: null,
    attributes: null,
    role: 'MEMBER',
    isAPIUser: false,
    posts: { totalCount: deleteUser.posts.totalCount },
    comments: deleteUser.comments,
    votes: deleteUser.votes,
  });
  await finish(app);
  assert.deepEqual(await findTexts(app.db, [...texts, id, ACCOUNT]), []);
  assert.deepEqual(await app.ask(counts), counted);
  assert.deepEqual(await recount(app.db.read), []);
  const attempt = await app.db.read.selectFrom('attempts').selectAll().executeTakeFirstOrThrow();
  assert.deepEqual(JSON.parse(attempt.answer ?? ''), { status: 500, headers: [], body: '', isCut: true });
  assert.deepEqual([attempt.diagnosis, attempt.said], ['answered 500', '[["answered 500"]]']);
});

testBoth('every column that names a person is known to erasing', async ({ db }) => {
  const known = new Set<string>([
    ...columnsOfPeople.flatMap(({ table, columns }) => Object.keys(columns).map((column) => `${table}.${column}`)),
    ...furtherColumnsOfPeople.map(([table, column]) => `${table}.${column}`),
    // Events stay, and those of imported ideas keep no user who is undone from being removed.
    'events.actor_id',
    // Not about people, or about accounts, which go with them.
    'users.account_id',
    ...[
      'webhooks.disabled_by',
      'credentials.account_id',
      'sessions.account_id',
      'second_factors.account_id',
      'passkeys.account_id',
    ],
    'account_pictures.account_id',
  ]);
  const tables = await db.read.introspection.getTables();
  const columns = tables.flatMap(({ name, columns: own }) => own.map((column) => `${name}.${column.name}`));
  const people = columns.filter((column) =>
    /(_by|user_id|author_id|actor_id|account_id|named_id|owner_id|uploader_id)$/.test(column),
  );
  assert.deepEqual(
    people.filter((column) => !known.has(column)),
    [],
  );
});

testBoth('background work notices an erasure on its own, and stops when asked to', async (app, t) => {
  const erasing = startErasing({ ...app, log: makeLog('silent'), baseUrl: 'http://board.test', transport: nowhere });
  onEnd(t, () => erasing.stop());
  await app.makeUser('bob');
  await app.makePost('Post', { as: 'bob' });
  await app.api.deleteUser({ ssoId: 'bob' });
  const signed = app.db.read.selectFrom('posts').select('id').where('author_id', 'is not', null);
  while ((await signed.execute()).length > 0) await setImmediate();
  await erasing.stop();
  await app.makeUser('cleo');
  await app.makePost('Post', { as: 'cleo' });
  await app.api.deleteUser({ ssoId: 'cleo' });
  assert.equal((await signed.execute()).length, 1);
});

testBoth('mails that are kept as files are deleted with the person', async (app) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-'));
  const transport = makeTransport({ smtpUrl: null, mailFrom: 'board@example.com', dataDir });
  const { id } = await leaveTraces(app);
  const mails = await app.db.read.selectFrom('mails').selectAll().execute();
  assert.ok(mails.some((mail) => mail.named_id === id) && mails.some((mail) => mail.recipient === secrets.email));
  for (const mail of mails) await transport.send(mail);
  await transport.send({ id: 'old', recipient: secrets.email, subject: 'S', body: 'B', date_created: 0 });
  await transport.send({ id: 'else', recipient: 'ada@example.com', subject: 'S', body: 'B', date_created: 0 });
  await app.api.deleteUser({ ssoId: 'zq-77' });
  await finish(app, transport);
  const files = await readdir(join(dataDir, 'mail'));
  assert.equal(files.length, 1);
  assert.match(await readFile(join(dataDir, 'mail', files[0] ?? ''), 'utf8'), /^To: ada@example\.com\r$/m);
});
