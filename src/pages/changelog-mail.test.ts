import assert from 'node:assert/strict';
import { publishNew } from '../../test/support/changelog.ts';
import { startNotifying } from '../../test/support/notifying.ts';
import { textOfMail } from '../../test/support/sender.ts';
import { readMail, signUp, type TestWeb, testPages, testWeb } from '../../test/support/web.ts';
import { countSubscribers } from '../feedback/changelog/subscribers.ts';
import { DAY_MS, HOUR_MS } from '../platform/lib/clock.ts';

const HOME = '/b/acme/changelog';

const count = ({ db, board }: TestWeb) => countSubscribers(db.read, board.id);
const mailsTo = ({ db }: TestWeb, address: string) =>
  db.read.selectFrom('mails').selectAll().where('recipient', '=', address).execute();

testWeb('a reader subscribes by address, confirms by a button, and ends it with one click', async (web, t) => {
  await publishNew(web, { labels: ['NEW', 'FIXED'] });
  const notifying = await startNotifying(t, web);
  await notifying.deliverAfter();
  const reader = web.makeVisitor();
  const page = (await reader.get(HOME)).payload;
  assert.match(page, /New entries by email.*name="email".*name="label:NEW".*name="label:FIXED"/s);
  assert.doesNotMatch(page, /name="label:IMPROVED"/);
  assert.match((await reader.get(`${HOME}/1`)).payload, /action="\/b\/acme\/changelog"[^>]*>.*name="email"/s);
  const form = { intent: 'subscribe', email: ' Lina@Example.com ', 'label:FIXED': 'on' };
  const asked = (await reader.post(HOME, form)).payload;
  assert.match(asked, /We sent a link to lina@example\.com/);
  const { subject, path } = await readMail(web, 'lina@example.com');
  assert.equal(subject, 'Confirm your subscription to the changelog of Acme');
  const [mail] = await mailsTo(web, 'lina@example.com');
  const [, link = ''] = /(\/email\/confirm\/\S+)/.exec(mail ? textOfMail(mail) : '') ?? [];
  assert.ok(path);
  assert.match((await reader.get(link)).payload, /New changelog entries of Acme will be sent to lina@example\.com/);
  assert.equal(await count(web), 0, 'programs that check mail open every link');
  for (let n = 0; n < 2; n++) assert.match((await reader.post(link, {})).payload, /are sent to lina@example\.com/);
  assert.equal(await count(web), 1);
  await notifying.deliver();
  await publishNew(web, { title: 'Not for her', labels: ['NEW'] });
  await publishNew(web, { title: 'For her', labels: ['FIXED'] });
  const mails = await notifying.deliverAfter();
  assert.deepEqual(
    mails.map(({ headers }) => headers.subject),
    ['For her'],
  );
  const [, end = ''] = /<http:\/\/board\.test(.*)>/.exec(mails[0]?.headers['list-unsubscribe'] ?? '') ?? [];
  assert.match((await reader.get(end)).payload, /are sent to lina@example\.com/);
  assert.equal(await count(web), 1);
  const program = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' };
  const ended = await reader.post(end, { 'List-Unsubscribe': 'One-Click' }, program);
  assert.equal(ended.statusCode, 200);
  assert.equal(await count(web), 0);
  assert.match((await reader.get(end)).payload, /no longer sent to lina@example\.com/);
});

testWeb('the answer is the same for every address, and no one is flooded', async (web) => {
  await publishNew(web);
  const { db, board, clock } = web;
  await db.transaction((tx) =>
    tx
      .insertInto('mail_bounces')
      .values({ board_id: board.id, address: 'bounced@example.com', error: 'gone', date_created: clock.now() })
      .execute(),
  );
  const ask = (email: string) => web.makeVisitor().post(HOME, { intent: 'subscribe', email });
  const same = async (email: string) => {
    const { statusCode, payload } = await ask(email);
    return [statusCode, /<section class="subscribe".*?<\/section>/s.exec(payload)?.[0].replaceAll(email, '…')];
  };
  const unknown = await same('unknown@example.com');
  assert.equal(unknown[0], 200);
  assert.deepEqual(await same('bounced@example.com'), unknown);
  for (let n = 0; n < 4; n++) assert.deepEqual(await same('unknown@example.com'), unknown);
  assert.equal((await mailsTo(web, 'unknown@example.com')).length, 5);
  const tooMany = await ask('unknown+6@example.com');
  assert.equal(tooMany.statusCode, 429);
  assert.match(tooMany.payload, /value="unknown\+6@example\.com"/);
  web.clock.advance(HOUR_MS);
  assert.deepEqual(await same('unknown@example.com'), unknown);
  assert.equal((await mailsTo(web, 'unknown@example.com')).length, 5, 'five in a day');
  web.clock.advance(DAY_MS);
  await same('unknown@example.com');
  assert.equal((await mailsTo(web, 'unknown@example.com')).length, 6);
  assert.equal((await ask('not an address')).statusCode, 422);
});

testWeb('a link to confirm expires, and one of another kind is none', async (web) => {
  await publishNew(web);
  const visitor = web.makeVisitor();
  await visitor.post(HOME, { intent: 'subscribe', email: 'lina@example.com' });
  const [mail] = await mailsTo(web, 'lina@example.com');
  const [, link = ''] = /(\/email\/confirm\/\S+)/.exec(mail ? textOfMail(mail) : '') ?? [];
  assert.equal((await visitor.post(link.replace('confirm', 'end'), {})).statusCode, 404);
  assert.equal((await visitor.post(`${link}x`, {})).statusCode, 404);
  web.clock.advance(DAY_MS + 1);
  assert.match((await visitor.get(link)).payload, /This link has expired/);
  assert.equal((await visitor.post(link, {})).statusCode, 400);
  assert.equal(await count(web), 0);
});

testWeb('who is signed in subscribes with one click, and has it in their data', async (web) => {
  await publishNew(web, { labels: ['NEW'] });
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', { title: 'Idea', comment: '' });
  const before = (await mailsTo(web, 'vera@example.com')).length;
  assert.doesNotMatch((await vera.get(HOME)).payload, /name="email"/);
  await vera.post(HOME, { intent: 'subscribe', email: 'other@example.com', 'label:NEW': 'on' });
  assert.match((await vera.get(HOME)).payload, /value="unsubscribe".*New entries are sent to vera@example\.com\./s);
  assert.equal((await mailsTo(web, 'vera@example.com')).length, before);
  const data = JSON.parse((await vera.get('/b/acme/settings/data/file')).payload);
  assert.deepEqual(data.boards[0].changelogByEmail.labels, ['NEW']);
  await vera.post(HOME, { intent: 'unsubscribe' });
  assert.equal(await count(web), 0);
  await vera.post(HOME, { intent: 'subscribe' });
  assert.equal(await count(web), 1);
});

testPages('the team sees how many get an entry by mail before it is published', async (web) => {
  const mona = await web.makeMember('Mona', 'MODERATOR');
  await publishNew(web, { labels: ['NEW'] });
  await mona.post(HOME, { intent: 'subscribe', 'label:NEW': 'on' });
  assert.match((await mona.get(`${HOME}/new`)).payload, /1 reader has subscribed by email/);
  for (const [title, label] of [
    ['Fitting', 'NEW'],
    ['Other', 'FIXED'],
  ]) {
    await mona.post(`${HOME}/new`, { title: `${title}`, text: '', [`label:${label}`]: 'on', intent: 'save' });
  }
  assert.match((await mona.get(`${HOME}/2`)).payload, /1 subscriber gets it by email 2 minutes after/);
  assert.doesNotMatch((await mona.get(`${HOME}/3`)).payload, /subscriber/);
});

testWeb('the changelog and its feed show the entries of one label', async (web) => {
  for (const [title, ...labels] of [['Alpha', 'NEW'], ['Beta', 'NEW', 'FIXED'], ['Gamma']]) {
    await publishNew(web, { title, labels });
    web.clock.advance(1_000);
  }
  const titles = async (path: string) =>
    [...new Set((await web.makeVisitor().get(path)).payload.match(/\b(Alpha|Beta|Gamma)\b/g))].sort();
  assert.deepEqual(await titles(HOME), ['Alpha', 'Beta', 'Gamma']);
  assert.deepEqual(await titles(`${HOME}?label=new`), ['Alpha', 'Beta']);
  assert.deepEqual(await titles(`${HOME}?label=fixed`), ['Beta']);
  assert.deepEqual(await titles(`${HOME}?label=none`), ['Alpha', 'Beta', 'Gamma']);
  assert.deepEqual(await titles(`${HOME}.atom?label=fixed`), ['Beta']);
  const page = (await web.makeVisitor().get(`${HOME}?label=new`)).payload;
  assert.match(page, /href="\/b\/acme\/changelog\.atom\?label=new"/);
  assert.match(
    page,
    /aria-current="page"[^>]*href="\/b\/acme\/changelog\?label=new"|href="\/b\/acme\/changelog\?label=new"[^>]*aria-current="page"/,
  );
  assert.doesNotMatch(page, /href="\/b\/acme\/changelog\?label=improved"/);
  for (let n = 0; n < 12; n++) await publishNew(web, { title: `Fix ${n}`, labels: ['FIXED'] });
  assert.match((await web.makeVisitor().get(`${HOME}?label=fixed`)).payload, /\?label=fixed&amp;after=/);
});
