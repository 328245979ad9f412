import assert from 'node:assert/strict';
import type { StatusType } from '../../sdk/src/schema.ts';
import { statusId } from '../../test/support/notifying.ts';
import { testPages, testWeb } from '../../test/support/web.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';

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
