import assert from 'node:assert/strict';
import { type TestWeb, testPages } from '../../test/support/web.ts';

const PAGE = '/b/acme/settings/tags';

const listTags = async ({ ask }: TestWeb): Promise<{ id: string; name: string; color: string; isPrivate: boolean }[]> =>
  (await ask('{ listTags { id name color isPrivate } }')).listTags;

testPages('tags are added, changed and deleted on their page', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const send = (form: Record<string, string>) => ada.post(PAGE, form);
  assert.match((await ada.get(PAGE)).payload, /There are no tags yet/);
  assert.equal((await send({ intent: 'add', name: 'Mobile', color: '#8b5500' })).statusCode, 302);
  const [tag] = await listTags(web);
  const id = tag?.id ?? '';
  assert.deepEqual(tag, { id, name: 'Mobile', color: '#8b5500', isPrivate: false });
  await send({ intent: `edit:${id}`, name: 'Phones', color: '#146c39', private: 'on' });
  assert.deepEqual(await listTags(web), [{ id, name: 'Phones', color: '#146c39', isPrivate: true }]);
  const post = await web.makePost('Dark mode');
  await web.api.updatePost({ id: post, tagIds: [id] });
  assert.match((await ada.get(PAGE)).payload, /1 idea loses this tag\./);
  await send({ intent: `delete:${id}` });
  assert.equal((await listTags(web)).length, 1, 'deleting needs a second thought');
  await send({ intent: `delete:${id}`, sure: 'on' });
  assert.deepEqual(await listTags(web), []);
});

testPages('the form proposes a color that no other tag has', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const proposed = async () =>
    /id="add".*?type="color"[^>]*value="([^"]+)"/s.exec((await ada.get(PAGE)).payload)?.[1] ?? '';
  const colors = new Set<string>();
  for (let n = 0; n < 10; n++) {
    const color = await proposed();
    assert.match(color, /^#[0-9a-f]{6}$/);
    colors.add(color);
    await ada.post(PAGE, { intent: 'add', name: `Tag ${n}`, color });
  }
  assert.equal(colors.size, 10);
  assert.ok(colors.has(await proposed()), 'then they begin again');
});

testPages('a tag that cannot be is refused next to its field, and members do not come here', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  await ada.post(PAGE, { intent: 'add', name: 'Mobile', color: '#8b5500' });
  const twice = await ada.post(PAGE, { intent: 'add', name: 'MOBILE', color: '#8b5500' });
  assert.equal(twice.statusCode, 422);
  assert.match(twice.payload, /There is already a tag/);
  await web.db.transaction((tx) => tx.updateTable('users').set({ locale: 'de' }).execute());
  const again = await ada.post(PAGE, { intent: 'add', name: 'MOBILE', color: '#8b5500' });
  assert.match(again.payload, /Es gibt schon ein Tag „Mobile“/);
  const [tag] = await listTags(web);
  const wrong = await ada.post(PAGE, { intent: `edit:${tag?.id}`, name: 'x'.repeat(51), color: 'red' });
  assert.equal(wrong.statusCode, 422);
  assert.match(wrong.payload, /<details class="status-edit" open=""/);
  assert.equal((await ada.post(PAGE, { intent: 'delete:x', sure: 'on' })).statusCode, 422);
  assert.equal((await ada.post(PAGE, { intent: 'else' })).statusCode, 400);
  assert.notEqual((await web.makeVisitor().get(PAGE)).statusCode, 200);
});
