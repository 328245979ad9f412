import type { TestApp } from '../support/app.ts';
import { publishNew, REACT } from '../support/changelog.ts';
import { upload } from '../support/files.ts';
import { addTracker, issueUrl } from '../support/trackers.ts';

/** Ten more statuses, twelve fields, and twelve posts, each with whatever hangs on posts and a changelog entry. */
export async function fillBoard(app: TestApp): Promise<void> {
  const { ask, board, makeUser, makePost } = app;
  const people = ['ben', 'cleo', 'dan', 'eve'];
  for (const person of people) await makeUser(person, 'MODERATOR');
  for (let n = 0; n < 10; n++) {
    const create = 'mutation($name: String!) { createStatus(name: $name, color: "#fff") { id } }';
    await ask(create, { name: `Step ${n}` });
  }
  const fields: string[] = [];
  for (let n = 0; n < 12; n++) {
    const create = `mutation($board: String!, $label: String!) {
      createField(boardId: $board, label: $label, type: SELECTION, options: [{ name: "Yes" }]) { node { id } }
    }`;
    fields.push((await ask(create, { board: board.id, label: `Field ${n}` })).createField.node.id);
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
        v: createView(kind: IDEAS, name: $tag, isShared: true, conditions: []) { id }
        w: createView(kind: PEOPLE, name: $tag, isShared: true, conditions: []) { id }
      }`,
      { id, tag: `Tag ${n}`, file },
    );
    await ask(
      `mutation($id: String!, $parent: String!, $source: String!, $tag: String!, $field: String!) {
        a: createComment(postId: $id, parentId: $parent, text: "y") { id }
        b: createComment(postId: $id, parentId: $parent, text: "z") { id }
        updatePost(id: $id, tagIds: [$tag], properties: [{ parent: $field, values: ["Yes"] }]) { node { id } }
        changeCommentModerationStatus(id: $parent, moderationStatus: FLAGGED) { id }
        changePostModerationStatus(id: $id, moderationStatus: FLAGGED) { id }
        mergePosts(sourceIds: [$source], targetId: $id) { id }
        assignPost(postId: $id, user: { ssotype: "SSO", userId: "dan" }) { id }
        addCommentReaction(id: $parent, reaction: EYES) { id }
      }`,
      { id, parent: c.id, source, tag: t.id, field: fields[n] },
    );
    await addTracker(app, app.board.id);
    await app.api.linkIssue({ postId: id, issue: issueUrl(n + 1) });
    const picture = (await upload(app, { bytes: 'Bytes' })).id;
    const entry = await publishNew(app, { postIds: [id], files: [picture] });
    await ask(REACT, { id: entry, reaction: 'HEART' });
  }
}
