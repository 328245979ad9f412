import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishNew, UNPUBLISH } from '../../../../test/support/changelog.ts';
import { DELETE, finish } from '../../../../test/support/erasing.ts';
import { makeField, put } from '../../../../test/support/fields.ts';
import { PNG, upload } from '../../../../test/support/files.ts';
import { readHead } from '../../../../test/support/page-head.ts';
import { assertLinksResolve, readSite, type TestSite, testSite } from '../../../../test/support/site.ts';

const COMMENT = `mutation($id: String!, $text: String!, $type: CommentType, $files: [String]) {
  createComment(postId: $id, text: $text, type: $type, files: $files) { id }
}`;
const MOVE = `mutation($id: String!, $status: String) {
  changePostStatus(postId: $id, statusType: CUSTOM, statusId: $status) { id }
}`;
const MERGE = 'mutation($ids: [String!]!, $id: String!) { mergePosts(sourceIds: $ids, targetId: $id) { id } }';
const MODERATE = `mutation($id: String!, $to: PostModerationStatus!) {
  changePostModerationStatus(id: $id, moderationStatus: $to) { id }
}`;
const HIDE = `mutation($id: String!, $to: PostVisibility) { updateStatus(id: $id, postVisibility: $to) { node { id } } }`;

const addStatus = async ({ ask }: TestSite, name: string): Promise<string> =>
  (await ask('mutation($name: String!) { createStatus(name: $name, color: "#336699") { node { id } } }', { name }))
    .createStatus.node.id;

/** A file of the site as text. */
const read = ({ folder }: TestSite, path: string) => readFileSync(join(folder, path), 'utf8');

/** The files of the site that have a word, or are named by it. */
function findWord({ folder }: TestSite, word: RegExp): string[] {
  const files = [...readSite(folder)].filter(([path]) => !path.startsWith('assets/'));
  return files.flatMap(([path, bytes]) => (word.test(path + bytes.toString()) ? [path] : []));
}

testSite('nothing is in the site but what anonymous visitors see', async (site) => {
  const { ask, makePost } = site;
  await site.makeUser('mo', 'MODERATOR');
  await site.makeUser('vera');
  const shown = await makePost('Shown');
  const [team, hidden] = [await addStatus(site, 'SECRET team status'), await addStatus(site, 'SECRET hidden status')];
  await ask(HIDE, { id: team, to: 'TEAM' });
  await ask(HIDE, { id: hidden, to: 'HIDDEN' });
  await ask(MOVE, { id: await makePost('SECRET team'), status: team });
  await ask(MOVE, { id: await makePost('SECRET hidden'), status: hidden });
  for (const to of ['PENDING', 'REJECTED']) await ask(MODERATE, { id: await makePost(`SECRET ${to}`), to });
  // Where it has been stays in its history.
  await ask(MOVE, { id: shown, status: hidden });
  await ask('mutation($id: String!) { changePostStatus(postId: $id, statusType: UNASSIGNED) { id } }', { id: shown });
  await ask(COMMENT, { id: shown, text: 'SECRET note', type: 'INTERNAL' }, { as: 'mo' });
  const { createComment } = await ask(COMMENT, { id: shown, text: 'SECRET comment' }, { as: 'vera' });
  const hold = `mutation($id: String!) { changeCommentModerationStatus(id: $id, moderationStatus: PENDING) { id } }`;
  await ask(hold, { id: createComment.id });
  const { createTag } = await ask('mutation { createTag(name: "SECRET tag", isPrivate: true) { id } }');
  const field = await makeField(site, 'SECRET field', { visibility: 'TEAM' });
  await ask(
    `mutation($id: String!, $tags: [String!], $properties: [PostPropertyInput]) {
      updatePost(id: $id, tagIds: $tags, properties: $properties) { node { id } }
    }`,
    { id: shown, tags: [createTag.id], properties: [put(field, 'SECRET value')] },
  );
  await ask('mutation { updateUser(ssoId: "ada", ssoType: SSO, email: "SECRET@example.com") { id } }');
  const gone = await makePost('SECRET deleted');
  await ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: gone });
  await ask('mutation { createChangelogEntry(title: "SECRET draft", text: "SECRET") { id } }');
  const { posts } = await site.write();
  assert.equal(posts, 1);
  assert.deepEqual(findWord(site, /secret/i), []);
  assert.equal(JSON.parse(read(site, 'posts/1/index.json')).comments.length, 0);
});

testSite('posts that are merged, hidden, deleted and erased are so in the site', async (site) => {
  const { ask, makePost, folder } = site;
  await site.makeUser('zora');
  const [first, second, third, fourth] = [
    await makePost('First'),
    await makePost('Second'),
    await makePost('Third'),
    await makePost('Zoras idea', { as: 'zora' }),
  ];
  const file = await upload(site, { filename: 'shot.png', bytes: PNG });
  await ask(COMMENT, { id: third, text: 'Zora says hello', files: [] }, { as: 'zora' });
  await ask(COMMENT, { id: third, text: 'See', files: [file.id] });
  const entry = await publishNew(site, { title: 'Withdrawn', postIds: [first] });
  await site.write();
  assert.ok(readSite(folder).has(`posts/3/files/${file.id}.png`));

  await ask(MERGE, { ids: [second], id: first });
  await ask(MODERATE, { id: third, to: 'PENDING' });
  await ask(DELETE, { id: 'zora', type: 'SSO', keep: false });
  await finish(site);
  await ask(UNPUBLISH, { id: entry });
  await site.write();
  assertLinksResolve(folder);
  const moved = read(site, 'posts/2/index.html');
  assert.match(moved, /<meta http-equiv="refresh" content="0; url=\.\.\/\.\.\/posts\/1\/index\.html">/);
  assert.equal(readHead(moved).canonical, 'http://board.test/b/acme/posts/1/first');
  assert.deepEqual(JSON.parse(read(site, 'posts/2/index.json')).mergedInto, 1);
  const all = readSite(folder);
  for (const number of [3, 4]) {
    assert.deepEqual(
      [...all.keys()].filter((path) => path.startsWith(`posts/${number}/`)),
      [`posts/${number}/index.html`],
    );
    assert.match(read(site, `posts/${number}/index.html`), /Page not found/);
  }
  assert.deepEqual(findWord(site, /zora|third|withdrawn/i), []);

  await ask(MODERATE, { id: third, to: 'APPROVED' });
  assert.ok((await site.write()).written >= 1);
  assert.match(read(site, 'posts/3/index.html'), /<h1[^>]*>Third<\/h1>/);
  assert.ok(fourth && readSite(folder).has(`posts/3/files/${file.id}.png`));
});
