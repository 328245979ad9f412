import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishNew } from '../../../../test/support/changelog.ts';
import { finish } from '../../../../test/support/erasing.ts';
import { makeField, put } from '../../../../test/support/fields.ts';
import { PNG, upload } from '../../../../test/support/files.ts';
import { readHead } from '../../../../test/support/page-head.ts';
import { assertLinksResolve, readSite, type TestSite, testSite } from '../../../../test/support/site.ts';

const addStatus = async ({ api }: TestSite, name: string): Promise<string> =>
  (await api.createStatus({ name, color: '#336699' })).id;

/** A file of the site as text. */
const read = ({ folder }: TestSite, path: string) => readFileSync(join(folder, path), 'utf8');

/** The files of the site that have a word, or are named by it. */
function findWord({ folder }: TestSite, word: RegExp): string[] {
  const files = [...readSite(folder)].filter(([path]) => !path.startsWith('assets/'));
  return files.flatMap(([path, bytes]) => (word.test(path + bytes.toString()) ? [path] : []));
}

testSite('nothing is in the site but what anonymous visitors see', async (site) => {
  const { api, makePost } = site;
  await site.makeUser('mo', 'MODERATOR');
  await site.makeUser('vera');
  const shown = await makePost('Shown');
  const [team, hidden] = [await addStatus(site, 'SECRET team status'), await addStatus(site, 'SECRET hidden status')];
  await api.updateStatus({ id: team, postVisibility: 'TEAM' });
  await api.updateStatus({ id: hidden, postVisibility: 'HIDDEN' });
  await api.changePostStatus({ postId: await makePost('SECRET team'), statusType: 'CUSTOM', statusId: team });
  await api.changePostStatus({ postId: await makePost('SECRET hidden'), statusType: 'CUSTOM', statusId: hidden });
  for (const to of ['PENDING', 'REJECTED'] as const)
    await api.changePostModerationStatus({ id: await makePost(`SECRET ${to}`), moderationStatus: to });
  // Where it has been stays in its history.
  await api.changePostStatus({ postId: shown, statusType: 'CUSTOM', statusId: hidden });
  await api.changePostStatus({ postId: shown, statusType: 'UNASSIGNED' });
  await api.as('mo').createComment({ postId: shown, text: 'SECRET note', type: 'INTERNAL' });
  const comment = await api.as('vera').createComment({ postId: shown, text: 'SECRET comment' });
  await api.changeCommentModerationStatus({ id: comment.id, moderationStatus: 'PENDING' });
  const tag = await api.createTag({ name: 'SECRET tag', isPrivate: true });
  const field = await makeField(site, 'SECRET field', { visibility: 'TEAM' });
  await api.updatePost({ id: shown, tagIds: [tag.id], properties: [put(field, 'SECRET value')] });
  await api.updateUser({ ssoId: 'ada', ssoType: 'SSO', email: 'SECRET@example.com' });
  const gone = await makePost('SECRET deleted');
  await api.deletePost({ postId: gone });
  await api.createChangelogEntry({ title: 'SECRET draft', text: 'SECRET' });
  const { posts } = await site.write();
  assert.equal(posts, 1);
  assert.deepEqual(findWord(site, /secret/i), []);
  assert.equal(JSON.parse(read(site, 'posts/1/index.json')).comments.length, 0);
});

testSite('posts that are merged, hidden, deleted and erased are so in the site', async (site) => {
  const { api, makePost, folder } = site;
  await site.makeUser('zora');
  const [first, second, third, fourth] = [
    await makePost('First'),
    await makePost('Second'),
    await makePost('Third'),
    await makePost('Zoras idea', { as: 'zora' }),
  ];
  const file = await upload(site, { filename: 'shot.png', bytes: PNG });
  await api.as('zora').createComment({ postId: third, text: 'Zora says hello', files: [] });
  await api.createComment({ postId: third, text: 'See', files: [file.id] });
  const entry = await publishNew(site, { title: 'Withdrawn', postIds: [first] });
  await site.write();
  assert.ok(readSite(folder).has(`posts/3/files/${file.id}.png`));

  await api.mergePosts({ sourceIds: [second], targetId: first });
  await api.changePostModerationStatus({ id: third, moderationStatus: 'PENDING' });
  await api.deleteUser({ ssoId: 'zora', ssoType: 'SSO', keepContent: false });
  await finish(site);
  await api.unpublishChangelogEntry({ id: entry });
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

  await api.changePostModerationStatus({ id: third, moderationStatus: 'APPROVED' });
  assert.ok((await site.write()).written >= 1);
  assert.match(read(site, 'posts/3/index.html'), /<h1[^>]*>Third<\/h1>/);
  assert.ok(fourth && readSite(folder).has(`posts/3/files/${file.id}.png`));
});
