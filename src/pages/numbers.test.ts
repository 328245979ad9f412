import assert from 'node:assert/strict';
import { statusId } from '../../test/support/notifying.ts';
import { testWeb } from '../../test/support/web.ts';
import { HOUR_MS } from '../platform/lib/clock.ts';

const PAGE = '/b/acme/settings/numbers';
const STATUS = `mutation($id: String!, $type: StatusType!, $status: String) {
  changePostStatus(postId: $id, statusType: $type, statusId: $status) { id }
}`;
const ANSWER = 'mutation($id: String!) { createComment(postId: $id, text: "Soon", type: OFFICIAL) { id } }';
const textOf = (html: string) =>
  (/<main.*<\/main>/s.exec(html)?.[0] ?? '').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

testWeb('the team reads how much came, how soon it was answered, and what became of its plans', async (web) => {
  const mo = await web.makeMember('Mo', 'MODERATOR');
  const read = async () => textOf((await mo.get(PAGE)).payload);
  assert.match(await read(), /Median time until the first answer – No ideas in these weeks/);
  const planned = await statusId(web);
  const change = (id: string, type: string, status?: string) => web.ask(STATUS, { id, type, status });
  const create = 'mutation { createPost(title: "From long ago", dateCreated: "2026-07-01T00:00:00Z") { id } }';
  const old = (await web.ask(create)).createPost.id;
  const [first = '', second = '', third = ''] = [
    await web.makePost('Answered after two hours'),
    await web.makePost('Planned after four hours, and done'),
    await web.makePost('Rejected'),
  ];
  await web.makePost('Open');
  await web.ask('mutation($id: String!) { upvotePost(postId: $id) { id } }', { id: first });
  web.clock.advance(2 * HOUR_MS);
  await web.ask(ANSWER, { id: first });
  web.clock.advance(2 * HOUR_MS);
  for (const id of [old, second]) await change(id, 'CUSTOM', planned);
  await change(second, 'COMPLETED');
  await web.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: third });
  const page = await read();
  assert.match(page, /Median time until the first answer 3 hours 66\.6% of 3 ideas answered/);
  assert.match(page, /Unanswered 1 Triage/);
  assert.match(page, /Ideas per week .* Nov 14 3 .*Votes per week .* Nov 14 1 /);
  assert.match(page, /Planned 2 1 1 0 In progress 0 0 0 0/);
});

testWeb('the numbers are for the team only', async (web) => {
  await web.makeMember('Olga', 'OWNER');
  const response = await web.makeVisitor().get(PAGE);
  assert.notEqual(response.statusCode, 200);
  assert.doesNotMatch(response.payload, /Median time/);
});
