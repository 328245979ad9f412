import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { pino } from 'pino';
import { makeTestApp } from '../../../test/support/app.ts';
import { type OpenPage, openPage, originOf } from '../../../test/support/live.ts';
import { until } from '../../../test/support/until.ts';
import { makeTestWeb, signUp, type TestWeb, testPages, testWeb } from '../../../test/support/web.ts';
import { READERS, Readers } from './readers.ts';

/** Votes for a post and waits until a page has the vote: nothing that was done before is still on its way. */
async function untilRead(web: TestWeb, page: OpenPage, number: number, id: string) {
  const { votes = 0 } = page.newest(number) ?? {};
  await web.makeUser(`voter ${votes}`);
  await web.api.as(`voter ${votes}`).upvotePost({ postId: id });
  await until('the vote has come', () => page.newest(number)?.votes === votes + 1);
}

testWeb('an open page gets the state of its posts, and each change', async (web, t) => {
  await web.makeUser('bob');
  const [dark, light] = [await web.makePost('Dark mode'), await web.makePost('Light mode')];
  await web.makePost('Not on the page');
  const page = await openPage(t, web, '1,2,9');
  await until('both have come', () => page.messages.length === 2);
  const [first, second] = page.messages;
  assert.deepEqual([first?.number, first?.votes, first?.comments], [1, 0, 0]);
  assert.deepEqual([second?.number, second?.votes, second?.comments], [2, 0, 0]);
  await web.api.as('bob').upvotePost({ postId: dark });
  await until('the vote has come', () => page.newest(1)?.votes === 1);
  await web.api.as('bob').createComment({ postId: dark, text: 'Please' });
  await until('the comment has come', () => page.newest(1)?.comments === 1);
  await web.api.changePostStatus({ postId: light, statusType: 'COMPLETED' });
  await until('the status has come', () => page.newest(2)?.statusId !== second?.statusId);
  const row = web.db.read.selectFrom('posts').select('status_id').where('number', '=', 2);
  const { status_id: statusId } = await row.executeTakeFirstOrThrow();
  assert.deepEqual(page.newest(2), { number: 2, votes: 0, comments: 0, statusId });
  assert.ok(page.messages.every(({ number }) => number === 1 || number === 2));
});

testWeb('a page gets nothing that an anonymous viewer may not see', async (web, t) => {
  await web.makeUser('bob');
  const ids: string[] = [];
  for (const title of ['Open', 'Held', 'Deleted', 'For the team', 'Seen']) ids.push(await web.makePost(title));
  const [open = '', held = '', deleted = '', forTeam = '', seen = ''] = ids;
  const { id: secret } = await web.api.createStatus({ name: 'Secret', color: '#123456' });
  await web.api.updateStatus({ id: secret, postVisibility: 'TEAM' });
  await web.api.changePostModerationStatus({ id: held, moderationStatus: 'PENDING' });
  await web.api.deletePost({ postId: deleted });
  await web.api.changePostStatus({ postId: forTeam, statusType: 'CUSTOM', statusId: secret });
  const page = await openPage(t, web, '1,2,3,4,5');
  await until('the others have come', () => page.messages.length === 2);
  for (const postId of [held, forTeam]) await web.api.upvotePost({ postId });
  await web.api.createComment({ postId: open, text: 'Between us', type: 'INTERNAL' });
  await untilRead(web, page, 5, seen);
  assert.deepEqual(
    page.messages.map(({ number }) => number),
    [1, 5, 5],
  );
  // A comment that is removed, or held back, counts no longer; an internal one never did.
  const { id: removed } = await web.api.as('bob').createComment({ postId: open, text: 'Here' });
  await until('the comment has come', () => page.newest(1)?.comments === 1);
  await web.api.deleteComment({ id: removed });
  await until('it is gone', () => page.newest(1)?.comments === 0);
  // A post that is hidden while it is shown sends no more messages, not even to pages that come later.
  await web.api.changePostModerationStatus({ id: open, moderationStatus: 'PENDING' });
  await untilRead(web, page, 5, seen);
  await web.api.upvotePost({ postId: open });
  await untilRead(web, page, 5, seen);
  assert.equal(page.newest(1)?.votes, 0);
  const later = await openPage(t, web, '1,5');
  await until('the other has come', () => later.messages.length > 0);
  assert.deepEqual(
    later.messages.map(({ number }) => number),
    [5],
  );
});

testWeb(
  'a private board has no stream for outsiders, as if it did not exist, and one that becomes private falls silent',
  async (web, t) => {
    const id = await web.makePost('Dark mode');
    const page = await openPage(t, web, '1');
    await until('it has come', () => page.messages.length === 1);
    const outsider = await signUp(web, 'Eve');
    const setAccess = (access: 'PUBLIC' | 'SIGNED_IN' | 'MEMBERS') =>
      web.db.transaction((tx) => tx.updateTable('boards').set({ access }).where('id', '=', web.board.id).execute());
    for (const access of ['SIGNED_IN', 'MEMBERS'] as const) {
      await setAccess(access);

      for (const visitor of access === 'MEMBERS' ? [web.makeVisitor(), outsider] : [web.makeVisitor()]) {
        const [closed, none] = [await visitor.get('/b/acme/live?posts=1'), await visitor.get('/b/none/live?posts=1')];
        for (const { headers } of [closed, none]) for (const name of ['date', 'x-request-id']) delete headers[name];
        assert.deepEqual([closed.statusCode, closed.payload, closed.headers], [204, '', none.headers]);
      }
    }
    await web.api.upvotePost({ postId: id });
    const read: string[] = [];
    await until('the posts are read three times', () => {
      read.push(...web.takeStatements().filter((sql) => sql.includes('shown.number')));
      return read.length > 2;
    });
    assert.equal(page.messages.length, 1);
    await setAccess('PUBLIC');
    await until('it comes again', () => page.newest(1)?.votes === 1);
  },
);

testPages('what is no list of posts has no stream', async ({ makeVisitor, makePost }) => {
  await makePost('Dark mode');
  const many = Array.from({ length: 101 }, (_, n) => n + 1);
  for (const query of ['', '?posts=', '?posts=0', '?posts=1,', '?posts=x', '?posts=1&posts=1', `?posts=${many}`]) {
    const { statusCode, headers } = await makeVisitor().get(`/b/acme/live${query}`);
    assert.deepEqual([statusCode, headers['cache-control']], [204, 'no-store'], query);
  }
});

testPages('a stream is passed on at once, and not compressed', async (web) => {
  await web.makePost('Dark mode');
  const gone = new AbortController();
  const { status, headers } = await fetch(`${await originOf(web)}/b/acme/live?posts=1`, { signal: gone.signal });
  gone.abort();
  const names = [
    'content-type',
    'cache-control',
    'x-accel-buffering',
    'content-encoding',
    'access-control-allow-origin',
  ];
  assert.deepEqual(
    [status, ...names.map((name) => headers.get(name))],
    [200, 'text/event-stream', 'no-store', 'no', null, null],
  );
  assert.match(headers.get('x-request-id') ?? '', /./);
});

testPages('a network has 200 open pages, and gets the room of those that are closed', async (web) => {
  await web.makePost('Dark mode');
  const origin = await originOf(web);
  const open = async () => {
    const gone = new AbortController();
    const response = await fetch(`${origin}/b/acme/live?posts=1`, { signal: gone.signal });
    // It is kept here: a body that can no longer be read is canceled.
    return { response, status: response.status, close: () => gone.abort() };
  };
  const pages = await Promise.all(Array.from({ length: READERS.network }, open));
  assert.deepEqual([...new Set(pages.map(({ status }) => status))], [200]);
  assert.match(await web.metrics.print(), /earshot_live_pages 200\n/);
  assert.equal((await open()).status, 204);
  pages[0]?.close();
  await until('there is room', async () => {
    const { status, close } = await open();
    close();
    return status === 200;
  });
  for (const { close } of pages) close();
  await until('all have left', async () => /earshot_live_pages 0\n/.test(await web.metrics.print()));
});

test('a process has 2,000 open pages', async (t) => {
  const { db, board, clock } = await makeTestApp(t, 'sqlite');
  const readers = new Readers({ db, clock, log: pino({ level: 'silent' }) });
  const enter = (network: string) => {
    const raw = new ServerResponse(new IncomingMessage(new Socket()));
    const viewer = { user: null, isAdmitted: false };
    readers.enter({ raw, network, viewer, open: null, findViewer: null }, board.id, [1]);
    return raw;
  };
  const all = Array.from({ length: READERS.all }, (_, n) => enter(`network ${n % 50}`));
  assert.equal(readers.hasRoom('another'), false);
  all[0]?.emit('close');
  assert.equal(readers.hasRoom('another'), true);
  for (const raw of all.slice(1)) raw.emit('close');
  assert.equal(readers.count, 0);
});

test('streams end when the process stops, and browsers connect again soon', async (t) => {
  const stopping = new AbortController();
  const web = await makeTestWeb(t, 'sqlite', { stopping: stopping.signal });
  await web.makePost('Dark mode');
  const url = `${await originOf(web)}/b/acme/live?posts=1`;
  const before = await fetch(url);
  stopping.abort();
  assert.match(await before.text(), /^retry: \d{4}\n\n/);
  assert.match(await (await fetch(url)).text(), /^retry: \d{4}\n\n$/);
});
