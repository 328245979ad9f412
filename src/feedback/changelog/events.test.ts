import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';
import { makeEntry, publishNew } from '../../../test/support/changelog.ts';

type Told = { type: string; data: { entry: object } };

async function readEvents({ api }: TestApp, as: string): Promise<Told[]> {
  return (await api.as(as).events({}, { nodes: { type: true, data: true } })).nodes as Told[];
}

testBoth('publishing and withdrawing an entry are events, and nothing else is', async (app) => {
  await app.makeUser('bob');
  const id = await makeEntry(app, { title: 'Dark mode', text: 'Größer', labels: ['NEW'] });
  await app.api.updateChangelogEntry({ id, labels: ['NEW', 'FIXED'] });
  await app.api.publishChangelogEntry({ id });
  const user = await app.api.user({ ssoId: 'ada' }, { id: true, name: true });
  const entry = {
    id,
    number: 1,
    title: 'Dark mode',
    text: 'Größer',
    url: 'http://board.test/b/acme/changelog/1/dark-mode',
    labels: ['NEW', 'FIXED'],
    posts: [],
    user,
  };
  const published = { type: 'changelog.published', data: { entry } };
  assert.deepEqual(await readEvents(app, 'bob'), [published]);
  await app.api.updateChangelogEntry({ id, title: 'Night mode' });
  await app.api.unpublishChangelogEntry({ id });
  const unpublished = {
    type: 'changelog.unpublished',
    data: { entry: { ...entry, title: 'Night mode', url: 'http://board.test/b/acme/changelog/1/night-mode' } },
  };
  assert.deepEqual(await readEvents(app, 'ada'), [published, unpublished]);
  const bare = { entry: { id } };
  const withdrawn = [published, unpublished].map(({ type }) => ({ type, data: bare }));
  assert.deepEqual(await readEvents(app, 'bob'), withdrawn, 'of what is not published members read the id only');
  await app.api.publishChangelogEntry({ id });
  assert.equal((await readEvents(app, 'bob')).length, 3);
  assert.deepEqual((await readEvents(app, 'bob'))[0], published);
});

testBoth('a deleted entry leaves its id in the log, and nothing else', async (app) => {
  await app.makeUser('bob');
  const id = await publishNew(app, { title: 'Zanzibar', text: 'Zanzibar' });
  await app.api.deleteChangelogEntry({ id });
  const left = ['changelog.published', 'changelog.unpublished'].map((type) => ({ type, data: { entry: { id } } }));
  for (const as of ['ada', 'bob']) assert.deepEqual(await readEvents(app, as), left);
  const { rows } = { rows: await app.db.read.selectFrom('events').select('body').execute() };
  assert.ok(rows.every(({ body }) => !body.includes('Zanzibar')));
  await app.api.deleteChangelogEntry({ id: await makeEntry(app) });
  assert.deepEqual(await readEvents(app, 'ada'), left, 'a draft comes and goes unheard');
});
