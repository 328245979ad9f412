import assert from 'node:assert/strict';
import { type TestWeb, testPages, testWeb } from '../../test/support/web.ts';
import { setBoard } from '../identity/board/board.ts';

const PAGE = '/b/acme/settings/statuses';

type Status = { id: string; name: string; color: string; postVisibility: string; isOnRoadmap: boolean };

const listStatuses = async ({ ask }: TestWeb): Promise<Status[]> =>
  (await ask('{ listStatuses { id name color postVisibility isOnRoadmap } }')).listStatuses;

async function idOf(web: TestWeb, name: string): Promise<string> {
  return (await listStatuses(web)).find((status) => status.name === name)?.id ?? '';
}

testPages('statuses are added, changed, moved and deleted on their page', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const send = (form: Record<string, string>) => ada.post(PAGE, form);
  const names = async () => (await listStatuses(web)).map(({ name }) => name);

  assert.equal((await send({ intent: 'add', name: 'In review', color: '#8b5500' })).statusCode, 302);
  assert.deepEqual((await names()).slice(0, 4), ['Open', 'Planned', 'In progress', 'In review']);
  const id = await idOf(web, 'In review');
  for (const _ of [1, 2]) await send({ intent: `up:${id}` });
  assert.deepEqual((await names()).slice(0, 4), ['Open', 'In review', 'Planned', 'In progress']);
  await send({ intent: `down:${id}` });
  assert.deepEqual((await names()).slice(0, 4), ['Open', 'Planned', 'In review', 'In progress']);
  const first = await idOf(web, 'Open');
  assert.equal((await send({ intent: `up:${first}` })).statusCode, 302);
  assert.equal((await names())[0], 'Open', 'the first one stays');
  await send({ intent: `put:${id}`, before: first });
  assert.deepEqual((await names()).slice(0, 2), ['In review', 'Open']);
  for (const before of ['', 'unknown']) {
    await send({ intent: `put:${id}`, before });
    assert.equal((await names()).at(-1), 'In review');
  }
  await send({ intent: `put:${id}`, before: await idOf(web, 'In progress') });
  assert.deepEqual((await names()).slice(0, 4), ['Open', 'Planned', 'In review', 'In progress']);
  assert.equal((await send({ intent: 'put:unknown', before: id })).statusCode, 422);

  await send({ intent: `edit:${id}`, name: 'Checking', color: '#146c39', visibility: 'TEAM' });
  assert.deepEqual(
    (await listStatuses(web)).find((status) => status.id === id),
    { id, name: 'Checking', color: '#146c39', postVisibility: 'TEAM', isOnRoadmap: false },
  );
  const post = await web.makePost('Dark mode');
  await web.api.changePostStatus({ postId: post, statusType: 'CUSTOM', statusId: id });
  const { payload } = await ada.get(PAGE);
  assert.match(payload, /1 idea becomes Open\. No one is notified\./);
  assert.match(payload, /With “Only the team” or “Only admins and owners”, members no longer see these ideas/);
  assert.equal(payload.match(/It can be renamed, but not deleted/g)?.length, 4);
  await send({ intent: `delete:${id}` });
  assert.ok((await names()).includes('Checking'), 'deleting needs a second thought');
  await send({ intent: `delete:${id}`, sure: 'on' });
  assert.ok(!(await names()).includes('Checking'));
  assert.equal((await web.api.posts({}, { nodes: { status: { name: true } } })).nodes[0]?.status.name, 'Open');
});

testPages('a status is a column of the roadmap if the team says so, and that can be undone', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const columns = async () => (await web.api.roadmap({ status: { name: true } })).map(({ status }) => status.name);
  const edit = async (name: string, isOnRoadmap: boolean) =>
    ada.post(PAGE, {
      intent: `edit:${await idOf(web, name)}`,
      name,
      color: '#146c39',
      visibility: 'PUBLIC',
      ...(isOnRoadmap && { isOnRoadmap: 'on' }),
    });
  assert.deepEqual(await columns(), ['Planned', 'In progress', 'Completed']);
  await ada.post(PAGE, { intent: 'add', name: 'Under review', color: '#8b5500' });
  await ada.post(PAGE, { intent: 'add', name: 'Next', color: '#8b5500', isOnRoadmap: 'on' });
  assert.deepEqual(await columns(), ['Planned', 'In progress', 'Next', 'Completed']);
  await edit('Open', true);
  const hidden = await edit('Planned', false);
  assert.deepEqual(await columns(), ['Open', 'In progress', 'Next', 'Completed']);
  assert.match((await ada.get(PAGE)).payload.replaceAll('<!-- -->', ''), /· On the roadmap/);
  const undo = new URL(hidden.headers.location ?? '', 'http://board.test').searchParams.get('operation') ?? '';
  await web.api.undo({ operationId: undo }, { id: true });
  assert.deepEqual(await columns(), ['Open', 'Planned', 'In progress', 'Next', 'Completed']);
  await edit('Merged', true);
  assert.equal((await columns()).includes('Merged'), false);
});

testPages('a status that cannot be is refused next to its field, and only admins come here', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const twice = await ada.post(PAGE, { intent: 'add', name: 'planned', color: '#8b5500' });
  assert.equal(twice.statusCode, 422);
  assert.match(twice.payload, /There is already a status/);
  const edit = `edit:${await idOf(web, 'Planned')}`;
  const wrong = await ada.post(PAGE, { intent: edit, name: '', color: 'red', visibility: 'TEAM' });
  assert.equal(wrong.statusCode, 422);
  assert.match(wrong.payload, /<details class="status-edit" open=""/);
  assert.equal((await ada.post(PAGE, { intent: 'delete:x', sure: 'on' })).statusCode, 422);
  assert.equal((await ada.post(PAGE, { intent: 'else' })).statusCode, 400);
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.equal((await mo.get(PAGE)).statusCode, 403);
  assert.equal((await mo.post(PAGE, { intent: 'add', name: 'New', color: '#8b5500' })).statusCode, 403);
  assert.equal((await web.makeVisitor().get(PAGE)).statusCode, 302);
});

testWeb('a status with the name that it began with is shown in the language of the reader', async (web) => {
  const ada = await web.makeMember('Ada', 'ADMIN');
  const post = await web.makePost('Dark mode');
  const inProgress = await idOf(web, 'In progress');
  await web.api.changePostStatus({ postId: post, statusType: 'CUSTOM', statusId: inProgress });
  const read = async (path: string, language: string) =>
    (await web.makeVisitor().get(path, { 'accept-language': language })).payload;
  const paths = ['/b/acme', '/b/acme/roadmap', '/b/acme/posts/1/dark-mode', '/b/acme?status=in-progress'];
  for (const path of paths) {
    const german = await read(path, 'de');
    assert.match(german, /In Arbeit/, path);
    assert.doesNotMatch(german, />In progress</, path);
    assert.match(await read(path, 'ja'), /進行中/, path);
    assert.match(await read(path, 'en'), />In progress</, path);
  }
  await web.db.transaction((tx) => setBoard(tx, web.board.id, { locale: 'de' }));
  assert.match(await read('/b/acme', 'nl'), /In Arbeit/, 'also where the board has changed its language');
  assert.match(await read('/b/acme/posts/1/feed.atom', 'fr'), /In Arbeit/, 'feeds are in that of the board');
  const settings = (await ada.get(PAGE)).payload;
  assert.match(settings, /value="In progress"/, 'the team changes the name that is stored');
  assert.equal((await listStatuses(web)).find(({ id }) => id === inProgress)?.name, 'In progress');
  await web.api.updateStatus({ id: inProgress, name: 'Building' });
  for (const path of paths.slice(0, 3)) assert.match(await read(path, 'de'), /Building/, path);
});
