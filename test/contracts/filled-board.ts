import type { TestApp } from '../support/app.ts';
import { upload } from '../support/files.ts';

/** Ten more statuses, and twelve posts by four people, each with votes, comments, a file, replies, followers, an assignment, a tag and a merged post. */
export async function fillBoard(app: TestApp): Promise<void> {
  const { ask, makeUser, makePost } = app;
  const people = ['ben', 'cleo', 'dan', 'eve'];
  for (const person of people) await makeUser(person, 'MODERATOR');
  for (let n = 0; n < 10; n++) {
    const create = 'mutation($name: String!) { createStatus(name: $name, color: "#fff") { id } }';
    await ask(create, { name: `Step ${n}` });
  }
  for (let n = 0; n < 12; n++) {
    const as = people[n % 4] ?? null;
    const file = (await upload(app, { bytes: 'Bytes' })).id;
    const [id, source] = [await makePost(`Post ${n}`, { as }), await makePost(`Source ${n}`, { as })];
    const votes = people.map(
      (person) => `${person}: upvotePost(postId: $id, voter: { ssotype: "SSO", userId: "${person}" }) { id }`,
    );
    const { c, t } = await ask(
      `mutation($id: String!, $tag: String!, $file: String) {
        ${votes.join(' ')} c: createComment(postId: $id, text: "x", files: [$file]) { id } t: createTag(name: $tag) { id }
      }`,
      { id, tag: `Tag ${n}`, file },
    );
    await ask(
      `mutation($id: String!, $parent: String!, $source: String!, $tag: String!) {
        a: createComment(postId: $id, parentId: $parent, text: "y") { id }
        b: createComment(postId: $id, parentId: $parent, text: "z") { id }
        updatePost(id: $id, tagIds: [$tag]) { node { id } }
        changeCommentModerationStatus(id: $parent, moderationStatus: FLAGGED) { id }
        changePostModerationStatus(id: $id, moderationStatus: FLAGGED) { id }
        mergePosts(sourceIds: [$source], targetId: $id) { id }
        assignPost(postId: $id, user: { ssotype: "SSO", userId: "dan" }) { id }
      }`,
      { id, parent: c.id, source, tag: t.id },
    );
  }
}
