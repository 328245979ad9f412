import assert from 'node:assert/strict';
import { signUp, testPages, testWeb } from '../../test/support/web.ts';
import { SEARCHES } from '../platform/limits/network-limit.ts';
import { countAttempt } from '../platform/limits/throttle.ts';

const NETWORK = '127.0.0.1';

testPages(
  'a network has a limited number of searches a minute, in lists and for similar ideas together',
  async (web) => {
    await web.makePost('Dark mode');
    const ask = async (url: string, remoteAddress = NETWORK) => {
      const { statusCode, headers, payload } = await web.app.inject({
        url,
        remoteAddress,
        headers: { host: 'board.test' },
      });
      return { status: statusCode, retryAfter: headers['retry-after'], payload };
    };
    const similar = '/b/acme/similar?title=dark';
    for (let n = 0; n < SEARCHES.most / 100; n++) {
      const all = await Promise.all(Array.from({ length: n === 0 ? 99 : 100 }, () => ask(similar)));
      assert.ok(all.every(({ status }) => status === 200));
    }
    assert.equal((await ask('/b/acme?q=dark')).status, 200);
    for (const path of ['/b/acme?q=dark', '/b/acme.data?q=dark', similar]) {
      const { status, retryAfter, payload } = await ask(path);
      assert.deepEqual([status, retryAfter], [429, '60'], path);
      assert.doesNotMatch(payload, /Dark mode/);
    }
    assert.equal((await ask('/b/acme')).status, 200, 'who does not search goes on');
    assert.equal((await ask('/b/acme/similar?title=%20')).status, 200);
    assert.equal((await ask(similar, '192.0.2.1')).status, 200, 'other networks do not wait');
    web.clock.advance(SEARCHES.windowMs);
    assert.match((await ask('/b/acme?q=dark')).payload, /Dark mode/);
  },
);

testWeb('all that members change counts for their network together', async (web) => {
  const id = await web.makePost('Dark mode');
  const vera = await signUp(web, 'Vera');
  await vera.post('/b/acme?index', { title: 'Mine', comment: '' });
  await vera.post('/b/acme/posts/2', { intent: 'delete' });
  const mine = await web.db.read.selectFrom('posts').select('id').where('title', '=', 'Mine').executeTakeFirstOrThrow();
  const forms = [
    ['/b/acme/votes/1', { vote: 'up' }],
    ['/b/acme/posts/1', { intent: 'comment', text: 'Yes.' }],
    ['/b/acme?index', { title: 'Another', comment: '' }],
    ['/b/acme?index', { intent: 'restore', id: mine.id }],
    ['/b/acme/posts/1', { intent: 'follow' }],
  ] as const;
  for (let n = 2; n < 1_199; n++) await countAttempt(web.db, web.clock, 'changes from', NETWORK);
  assert.equal((await vera.post('/b/acme/votes/1', { vote: 'up' })).statusCode, 200);
  for (const [path, form] of forms) {
    const refused = await vera.post(path, form);
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [429, '900'], `${path} ${form}`);
  }
  const post = await web.api.post({ id }, { upvoteCount: true });
  assert.equal(post?.upvoteCount, 1);
});

testWeb(
  'a member changes titles ten times in a quarter of an hour; other edits are not limited by that',
  async (web) => {
    const vera = await signUp(web, 'Vera');
    await vera.post('/b/acme?index', { title: 'Title 0', comment: 'Text.' });
    const edit = async (title: string, comment: string) =>
      (await vera.post('/b/acme/posts/1', { intent: 'edit', title, comment })).statusCode;
    for (let n = 1; n <= 10; n++) assert.equal(await edit(`Title ${n}`, 'Text.'), 302, String(n));
    assert.equal(await edit('Title 11', 'Text.'), 429);
    assert.equal(await edit(' Title 10 ', 'Other text.'), 302);
    web.clock.advance(15 * 60_000);
    assert.equal(await edit('Title 11', 'Text.'), 302);
  },
);

testPages('the address of a list narrows it by fifty statuses and fifty tags at most', async (web) => {
  await web.makePost('Dark mode');
  await web.api.createTag({ name: 'Bug' });
  const shows = async (parameter: string, name: string, others: number) => {
    const unknown = Array.from({ length: others }, (_, n) => `${parameter}=none-${n}&`).join('');
    return (await web.makeVisitor().get(`/b/acme?${unknown}${parameter}=${name}`)).payload.includes('Dark mode');
  };
  for (const [parameter, name] of [
    ['status', 'planned'],
    ['tag', 'bug'],
  ] as const) {
    const shown = [
      await shows(parameter, name, 48),
      await shows(parameter, name, 49),
      await shows(parameter, name, 50),
    ];
    assert.deepEqual(shown, [false, false, true], parameter);
  }
});
