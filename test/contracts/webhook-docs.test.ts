import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { eventTypes } from '../../src/feedback/event-log/event-types.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { publishNew, UNPUBLISH } from '../support/changelog.ts';
import { makeTag, SET_TAGS } from '../support/tags.ts';
import { testWebhooks } from '../support/webhooks.ts';

const document = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

test('the example of each event in docs/webhooks.md has the shape of the real one, member for member', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  await causeEveryEvent(app);
  const rows = await app.db.read.selectFrom('events').select(['type', 'body']).execute();
  for (const type of eventTypes) {
    const body = rows.findLast((row) => row.type === type)?.body;
    assert.ok(body, `${type} happened`);
    assert.deepEqual(shapeOf(exampleOf(type)), shapeOf(JSON.parse(body)), type);
  }
});

test('no event exceeds the size in docs/webhooks.md, whatever is written in it', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  const { ask } = app;
  // Each of these takes twelve bytes in JSON, and joiners are added among marks.
  const long = (length: number, end = '') => `🌒${'\u{1d167}'.repeat(length - 1 - end.length)}${end}`;
  await ask(`mutation($name: String) { createUser(ssotype: "SSO", userId: "ada", name: $name) { id } }`, {
    name: long(100),
  });
  const status = 'mutation($name: String!) { createStatus(name: $name, color: "#abc") { id } }';
  const statusIds: string[] = [];
  for (const end of ['a', 'b']) statusIds.push((await ask(status, { name: long(50, end) })).createStatus.id);
  const tags: string[] = [];
  for (let n = 0; n < 100; n++) tags.push(await makeTag(app, long(50, String(n).padStart(2, '0'))));
  const [some, others] = [tags.slice(0, 50), tags.slice(50)];
  const text = long(20_000);
  const { createPost } = await ask(
    'mutation($title: String!, $text: String, $tags: [String!]) { createPost(title: $title, comment: $text, tagIds: $tags) { id } }',
    { title: long(200), text, tags: some },
  );
  const { id } = createPost;
  await ask(SET_TAGS, { id, tagIds: others });
  const move =
    'mutation($id: String!, $to: String) { changePostStatus(postId: $id, statusType: CUSTOM, statusId: $to) { id } }';
  for (const to of statusIds) await ask(move, { id, to });
  await ask('mutation($id: String!, $text: String!) { createComment(postId: $id, text: $text) { id } }', { id, text });
  const postIds = [id];
  for (let n = 1; n < 50; n++) postIds.push(await app.makePost(`Post ${n}`));
  await publishNew(app, { title: long(200), text, labels: ['NEW', 'IMPROVED', 'FIXED'], postIds });
  const rows = await app.db.read.selectFrom('events').select(['type', 'body']).execute();
  const sizes = rows.map(({ type, body }) => ({ type, bytes: Buffer.byteLength(body) }));
  const largest = sizes.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const [, stated = ''] = /single line of at most (\d+) KiB/.exec(document) ?? [];
  const limit = Number(stated) * 1_024;
  assert.ok(largest.bytes <= limit && largest.bytes > 0.9 * limit, JSON.stringify(largest));
});

function exampleOf(type: string): unknown {
  const [, json] = new RegExp(`^### \`${type}\`\n.*?^\`\`\`json\n(.*?)^\`\`\``, 'ms').exec(document) ?? [];
  assert.ok(json, `docs/webhooks.md has an example of ${type}`);
  const example = JSON.parse(json);
  assert.equal(example.event, type);
  return example;
}

/** Members in their order, with the kind of each value. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.entries(value).map(([name, member]) => [name, shapeOf(member)]);
}

async function causeEveryEvent(app: TestApp): Promise<void> {
  const { ask } = app;
  const id = await app.makePost('Dark mode 🌒');
  const { createComment } = await ask('mutation($id: String!) { createComment(postId: $id, text: "Größer!") { id } }', {
    id,
  });
  const planned = (await ask('{ listStatuses { id } }')).listStatuses[1];
  const move =
    'mutation($id: String!, $statusId: String) { changePostStatus(postId: $id, statusType: CUSTOM, statusId: $statusId) { id } }';
  await ask(move, { id, statusId: planned.id });
  const first = await makeTag(app, 'Design');
  await ask(SET_TAGS, { id, tagIds: [first] });
  await ask(SET_TAGS, { id, tagIds: [first, await makeTag(app, 'Mobile')] });
  await ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id: createComment.id });
  const entry = await publishNew(app, { title: 'Dark mode', text: 'Größer!', labels: ['NEW'], postIds: [id] });
  await ask(UNPUBLISH, { id: entry });
  await ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id });
}

testWebhooks('every command of "By key" works as pasted', async (app) => {
  const [, section = ''] = /^## By key\n(.*?)^## /ms.exec(document) ?? [];
  const blocks = [...section.matchAll(/^```sh\n(curl .*?)^```/gms)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) => block.replaceAll('\\\n', '').trim().split('\n'));
  assert.equal(lines.length, 6);
  const url = await app.app.listen({ port: 0, host: '127.0.0.1' });
  const receiver = (await app.makeWebhook()).url;
  const key = await app.makeKey({ permissions: ['WEBHOOKS'] });
  let webhook = '';
  for (const line of lines) {
    const command = line.replace('http://localhost:4000', url).replace('https://example.com/webhook', receiver);
    const shell = ['-e', '-c', `KEY=${key}\nWEBHOOK=${webhook}\n${command} -w ' %{http_code}'`];
    const { stdout } = await promisify(execFile)('sh', shell);
    assert.match(stdout, / 20[014]$/);
    webhook ||= /"id":"([^"]+)"/.exec(stdout)?.[1] ?? '';
    const tested = /"ok":(true|false)/.exec(stdout)?.[1];
    assert.ok(tested === undefined || tested === 'true', stdout);
  }
  assert.notEqual(webhook, '');
});
