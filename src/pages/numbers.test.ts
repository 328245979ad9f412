import assert from 'node:assert/strict';
import type { StatusType } from '../../sdk/src/schema.ts';
import { statusId } from '../../test/support/notifying.ts';
import { testPages, testWeb } from '../../test/support/web.ts';
import { DAY_MS, HOUR_MS } from '../platform/lib/clock.ts';

const PAGE = '/b/acme/settings/numbers';
const textOf = (html: string) =>
  (/<main.*<\/main>/s.exec(html)?.[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

testWeb('the team reads how much came, how soon it was answered, and what became of its plans', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const read = async () => textOf((await mo.get(PAGE)).payload);
  assert.match(await read(), /Median time until the first answer – No ideas in these weeks/);
  const planned = await statusId(web);
  const change = (postId: string, statusType: StatusType, statusId?: string) =>
    web.api.changePostStatus({ postId, statusType, statusId });
  const old = (await web.api.createPost({ title: 'From long ago', dateCreated: '2026-07-01T00:00:00Z' })).id;
  const [first = '', second = '', third = ''] = [
    await web.makePost('Answered after two hours'),
    await web.makePost('Planned after four hours, and done'),
    await web.makePost('Rejected'),
  ];
  await web.makePost('Open');
  await web.api.upvotePost({ postId: first });
  web.clock.advance(2 * HOUR_MS);
  await web.api.createComment({ postId: first, text: 'Soon', type: 'OFFICIAL' });
  web.clock.advance(2 * HOUR_MS);
  for (const id of [old, second]) await change(id, 'CUSTOM', planned);
  await change(second, 'COMPLETED');
  await web.api.deletePost({ postId: third });
  const page = await read();
  assert.match(page, /Median time until the first answer 3 hours 66\.6% of 3 ideas answered/);
  assert.match(page, /Unanswered 1 Triage/);
  assert.match(page, /Ideas per week .* Nov 14 3 .*Votes per week .* Nov 14 1 /);
  assert.match(page, /Planned 2 1 1 0 In progress 0 0 0 0/);
});

testWeb('numbers are counted for a period, a tag and a segment, beside those before, and come as CSV', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const { id: tag } = await web.api.createTag({ name: 'Look' });
  const conditions = [{ of: 'USER' as const, attribute: 'plan', comparison: 'IS' as const, values: ['gold'] }];
  const { id: segment } = await web.api.createSegment({ name: 'Gold', conditions });
  for (const [ssoId, plan] of Object.entries({ ann: 'gold', ben: 'free' }))
    await web.api.createUser({ ssoType: 'SSO', ssoId, name: ssoId, attributes: { plan } });
  const make = async (title: string, as: string, daysAgo: number) => {
    const dateCreated = new Date(web.clock.now() - daysAgo * DAY_MS).toISOString();
    return (await web.api.createPost({ title, dateCreated, author: { ssotype: 'SSO', userId: as } })).id;
  };
  const [dark = '', light = ''] = [await make('Dark', 'ann', 10), await make('Light', 'ben', 8)];
  await make('Before', 'ann', 100);
  await make('Long before', 'ben', 300);
  await web.api.updatePost({ id: dark, tagIds: [tag] });
  for (const as of ['ann', 'ben']) await web.api.as(as).upvotePost({ postId: dark });
  await web.api.as('ben').upvotePost({ postId: light });
  await web.api.changePostStatus({ postId: dark, statusType: 'COMPLETED' });
  const read = async (query: string) => textOf((await mo.get(`${PAGE}${query}`)).payload);
  assert.match(
    await read(''),
    /10 days 1 idea completed .*Ideas per week 2, after 1 in .* \(\+100%\).*Votes per week 3, after none/,
  );
  assert.match(await read('?weeks=26'), /Ideas per week 3, after 1 in as many weeks before \(\+200%\)/);
  assert.match(await read('?weeks=52'), /Ideas per week 4, after none/);
  assert.match(await read('?weeks=7'), /Ideas per week 2, after 1/, 'an unknown period is the usual one');
  assert.match(await read(`?tag=${tag}`), /Ideas per week 1, after none .*Votes per week 2, after none/);
  assert.match(await read(`?segment=${segment}`), /Ideas per week 1, after 1 .*\(0%\).*Votes per week 1, after none/);
  assert.match(
    await read(`?segment=${segment}&tag=${tag}`),
    /Ideas per week 1, after none .*Votes per week 1, after none/,
  );
  const { payload } = await mo.get(PAGE);
  const [, csv = ''] = /href="data:text\/csv;charset=utf-8,([^"]+)" download="ideas.csv"/.exec(payload) ?? [];
  const lines = decodeURIComponent(csv).split('\r\n');
  assert.deepEqual([lines[0], lines.length], ['\uFEFF"Week of","Ideas"', 14]);
});

testWeb('the team reads what the users with each value of an attribute ask for', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  assert.doesNotMatch(await read(), /Most requested by segment/);
  const users: Record<string, object> = {
    ann: { '': 'a', $path: 'b', plan: 'gold', seats: 3 },
    ben: { '': 'a', $path: 'b', plan: 'gold', seats: 5 },
    cem: { '': 'a', $path: 'b', plan: 'free', 'odd $.key': 'x' },
    dan: { '': 'a', $path: 'b', plan: 'a\u0000b' },
    eve: { '': 'a', $path: 'b', plan: { nested: true } },
  };
  for (const [id, attributes] of Object.entries(users))
    await web.api.createUser({ ssoType: 'SSO', ssoId: id, name: id, attributes });
  const [dark = '', light = '', secret = ''] = [
    await web.makePost('Dark mode'),
    await web.makePost('Light mode'),
    await web.makePost('Gone'),
  ];
  const upvote = (post: string, as: string) => web.api.as(as).upvotePost({ postId: post });
  for (const name of ['ann', 'ben', 'dan']) await upvote(dark, name);
  for (const name of ['ann', 'cem']) await upvote(light, name);
  for (const name of ['ann', 'ben', 'cem']) await upvote(secret, name);
  await web.api.deletePost({ postId: secret });
  async function read(query = '') {
    return textOf((await mo.get(`${PAGE}${query}`)).payload);
  }
  assert.match(
    await read(),
    /plan Votes Most requested ideas gold 3 Dark mode 2 votes Light mode 1 vote free 1 Light mode/,
  );
  assert.match(
    await read('?by=seats'),
    /seats Votes Most requested ideas 3 2 Dark mode 1 vote Light mode 1 vote 5 1 Dark/,
  );
  assert.match(await read(`?by=${encodeURIComponent('odd $.key')}`), /x 1 Light mode 1 vote/);
  assert.match(await read('?by=unknown'), /gold 3/);
});

testWeb('what became of plans counts only ideas that the viewer may see', async (web) => {
  const [mo, olga] = [await web.makeMember('Mo', 'MODERATOR'), await web.makeMember('Olga', 'OWNER')];
  const planned = await statusId(web);
  const createStatus = await web.api.createStatus({ name: 'Secret', color: '#000' });
  await web.api.updateStatus({ id: createStatus.id, postVisibility: 'HIDDEN' });
  const id = await web.makePost('Dark mode');
  for (const status of [planned, createStatus.id])
    await web.api.changePostStatus({ postId: id, statusType: 'CUSTOM', statusId: status });
  assert.match(textOf((await olga.get(PAGE)).payload), /Planned 1 0 0 /);
  assert.match(textOf((await mo.get(PAGE)).payload), /Planned 0 0 0 /);
});

testPages('the numbers are for the team only', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  const response = await web.makeVisitor().get(PAGE);
  assert.notEqual(response.statusCode, 200);
  assert.doesNotMatch(response.payload, /Median time/);
});
