import type { TestApp } from '../support/app.ts';
import { addTracker, issueUrl } from '../support/trackers.ts';

/** Puts on the board what the examples ask for, and gives the ids by name. */
export async function makeFixture(app: TestApp): Promise<Record<string, string>> {
  const { api, ask, gql, makePost, makeUser, board } = app;
  for (const user of ['grace', '44']) await makeUser(user);
  const post = await makePost('Dark mode');
  const duplicate = await makePost('Night theme');
  const made = await ask(
    `mutation ($post: String!, $board: String!) {
      createComment(postId: $post, text: "My eyes hurt.") { id }
      createStatus(name: "Planned for later", color: "#7c3aed") { node { id } }
      createTag(name: "Editor") { id }
      createView(kind: IDEAS, name: "Editor", isShared: true, conditions: [{ parameter: VOTES, values: ["1"] }]) { id }
      createChangelogEntry(title: "Shortcuts", labels: [NEW, IMPROVED]) { id }
      company: createCompany(externalId: "globex", name: "Globex") { id }
      old: createCompany(externalId: "initech", name: "Initech") { id }
      createSegment(name: "Has a role", conditions: [{ of: USER, attribute: "role", comparison: IS_SET }]) { id }
      createField(boardId: $board, label: "Team size", type: NUMBER) { node { id } }
    }`,
    { post, board: board.id },
  );
  await addTracker(app, board.id);
  const linked = await api.linkIssue({ postId: duplicate, issue: issueUrl(7) }, { issues: { nodes: { id: true } } });
  const pin = 'mutation ($id: String!) { updatePost(id: $id, isPinned: true) { node { id } } }';
  const { headers } = await gql(pin, { id: duplicate });
  const { listStatuses } = await ask('{ listStatuses { id type } }');
  return {
    post,
    duplicate,
    comment: made.createComment.id,
    status: made.createStatus.node.id,
    unassigned: listStatuses.find(({ type }: { type: string }) => type === 'UNASSIGNED').id,
    tag: made.createTag.id,
    view: made.createView.id,
    entry: made.createChangelogEntry.id,
    field: made.createField.node.id,
    company: made.company.id,
    'old company': made.old.id,
    segment: made.createSegment.id,
    issue: linked.issues.nodes[0]?.id ?? '',
    operation: String(headers['earshot-operation-id']),
  };
}
