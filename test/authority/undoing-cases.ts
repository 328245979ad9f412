/** An operation of the team, what must be so before it, and what others then do to the same thing. */
export type Case = { does: string; first?: string; others: string };

const update = (change: string) => `updatePost(id: $post, ${change}) { node { id } }`;
const FIELD = '"01980000-0000-7000-8000-00000000000b"';
const ANN = '{ ssotype: "SSO", userId: "mod" }';

/** Every operation of the table in docs/api.md that `undo` takes back. */
export const cases: Record<string, Case> = {
  title: { does: update('title: "New"'), others: update('title: "Other"') },
  description: { does: update('comment: "New"'), others: 'updateComment(id: $description, text: "Other") { id }' },
  'first description': {
    does: 'updatePost(id: $bare, comment: "New") { node { id } }',
    others: 'updatePost(id: $bare, comment: "Other") { node { id } }',
  },
  tags: { does: update('tagIds: [$tag]'), others: update('tagIds: []') },
  fields: {
    does: update('properties: [{ parent: $field, values: ["x"] }]'),
    others: update('properties: [{ parent: $field, values: ["y"] }]'),
  },
  lock: { does: update('isLocked: true'), others: update('isLocked: false') },
  expected: { does: update('expected: "2027-Q1"'), others: update('expected: "2028-Q1"') },
  pin: { does: update('isPinned: true'), others: update('isPinned: false') },
  status: {
    does: 'changePostStatus(postId: $post, statusType: COMPLETED) { id }',
    others: 'changePostStatus(postId: $post, statusType: ARCHIVED) { id }',
  },
  'status with a message': {
    does: 'changePostStatus(postId: $post, statusType: COMPLETED, comment: "Done") { id }',
    others: 'changePostStatus(postId: $post, statusType: ARCHIVED) { id }',
  },
  'delete a post': { does: 'deletePost(postId: $post) { id }', others: 'restorePost(id: $post) { id }' },
  'restore a post': {
    first: 'deletePost(postId: $post) { id }',
    does: 'restorePost(id: $post) { id }',
    others: 'deletePost(postId: $post) { id }',
  },
  'text of a comment': {
    does: 'updateComment(id: $comment, text: "New") { id }',
    others: 'updateComment(id: $comment, text: "Other") { id }',
  },
  'official answer': {
    does: 'new: createComment(postId: $post, text: "Yes", type: OFFICIAL) { id }',
    others: 'deleteComment(id: $new) { id }',
  },
  'delete a comment': { does: 'deleteComment(id: $comment) { id }', others: 'restoreComment(id: $comment) { id }' },
  'restore a comment': {
    first: 'deleteComment(id: $comment) { id }',
    does: 'restoreComment(id: $comment) { id }',
    others: 'deleteComment(id: $comment) { id }',
  },
  'reject a post': {
    does: 'changePostModerationStatus(id: $post, moderationStatus: REJECTED) { id }',
    others: 'changePostModerationStatus(id: $post, moderationStatus: FLAGGED) { id }',
  },
  'reject a comment': {
    does: 'changeCommentModerationStatus(id: $comment, moderationStatus: REJECTED) { id }',
    others: 'changeCommentModerationStatus(id: $comment, moderationStatus: FLAGGED) { id }',
  },
  merge: {
    does: 'mergePosts(sourceIds: [$post, $bare], targetId: $target) { id }',
    others: 'unmergePost(id: $bare) { id }',
  },
  unmerge: {
    first: 'mergePosts(sourceIds: [$post], targetId: $target) { id }',
    does: 'unmergePost(id: $post) { id }',
    others: 'mergePosts(sourceIds: [$post], targetId: $bare) { id }',
  },
  assign: {
    does: `assignPost(postId: $post, user: ${ANN}) { id }`,
    others: `unassignPost(postId: $post, user: ${ANN}) { id }`,
  },
  unassign: {
    first: `assignPost(postId: $post, user: ${ANN}) { id }`,
    does: `unassignPost(postId: $post, user: ${ANN}) { id }`,
    others: `assignPost(postId: $post, user: ${ANN}) { id }`,
  },
  'change a status': {
    does: 'updateStatus(id: $status, name: "New", postVisibility: TEAM) { id }',
    others: 'updateStatus(id: $status, name: "Other") { id }',
  },
  'rearrange statuses': {
    does: 'rearrangeStatuses(ids: [$status, $open])',
    others: 'rearrangeStatuses(ids: [$open, $status])',
  },
  'create a status': {
    does: 'createStatus(id: "01980000-0000-7000-8000-00000000000a", name: "New", color: "#fff") { id }',
    others:
      'changePostStatus(postId: $post, statusType: CUSTOM, statusId: "01980000-0000-7000-8000-00000000000a") { id }',
  },
  'delete a status': {
    first: 'changePostStatus(postId: $post, statusType: CUSTOM, statusId: $status) { id }',
    does: 'deleteStatus(id: $status) { id }',
    others: 'changePostStatus(postId: $post, statusType: COMPLETED) { id }',
  },
  'create a tag': { does: 'new: createTag(name: "New") { id }', others: update('tagIds: [$new]') },
  'change a tag': {
    does: 'updateTag(id: $tag, name: "New", isPrivate: true) { id }',
    others: 'updateTag(id: $tag, name: "Other") { id }',
  },
  'delete a tag': {
    first: update('tagIds: [$tag]'),
    does: 'deleteTag(id: $tag) { id }',
    others: 'createTag(name: "Bug") { id }',
  },
  'create a field': {
    does: `createField(id: ${FIELD}, boardId: $board, label: "New", type: TEXT) { node { id } }`,
    others: update(`properties: [{ parent: ${FIELD}, values: ["x"] }]`),
  },
  'change a field': {
    does: 'updateField(id: $field, label: "New", isRequired: true, visibility: TEAM) { node { id } }',
    others: 'updateField(id: $field, label: "Other") { node { id } }',
  },
  'remove an option of a field': {
    first: update('properties: [{ parent: $choice, values: ["a", "c"] }]'),
    does: 'updateField(id: $choice, options: [{ id: "c", name: "C" }, { id: "b", name: "B" }]) { node { id } }',
    others: update('properties: [{ parent: $choice, values: ["b"] }]'),
  },
  'delete a field': {
    first: update('properties: [{ parent: $field, values: ["x"] }, { parent: $choice, values: ["a"] }]'),
    does: 'deleteField(id: $field) { node { id } }',
    others: 'createField(boardId: $board, label: "plan", type: TEXT) { node { id } }',
  },
  'delete a field of a deleted post': {
    first: `first: ${update('properties: [{ parent: $field, values: ["x"] }]')} deletePost(postId: $post) { id }`,
    does: 'deleteField(id: $field) { node { id } }',
    others: 'createField(boardId: $board, label: "plan", type: TEXT) { node { id } }',
  },
  'create an entry': {
    does: 'new: createChangelogEntry(title: "New", postIds: [$post]) { id }',
    others: 'updateChangelogEntry(id: $new, text: "Other") { id }',
  },
  'change an entry': {
    does: 'updateChangelogEntry(id: $entry, title: "New", labels: [FIXED], postIds: [$target]) { id }',
    others: 'updateChangelogEntry(id: $entry, labels: [NEW]) { id }',
  },
  'publish an entry': {
    does: 'publishChangelogEntry(id: $draft) { id }',
    others: 'unpublishChangelogEntry(id: $draft) { id }',
  },
  'schedule an entry': {
    does: 'publishChangelogEntry(id: $draft, at: "2030-01-01T00:00:00.000Z") { id }',
    others: 'publishChangelogEntry(id: $draft) { id }',
  },
  'withdraw an entry': {
    does: 'unpublishChangelogEntry(id: $entry) { id }',
    others: 'publishChangelogEntry(id: $entry) { id }',
  },
  'delete an entry': {
    does: 'deleteChangelogEntry(id: $entry) { id }',
    others: 'mergePosts(sourceIds: [$post], targetId: $target) { id }',
  },
  role: {
    does: 'changeTeamUserRole(ssoId: "zoe", ssoType: SSO, role: MODERATOR) { id }',
    others: 'changeTeamUserRole(ssoId: "zoe", ssoType: SSO, role: ADMIN) { id }',
  },
  'remove from the team': {
    does: 'removeTeamUser(ssoId: "mod", ssoType: SSO)',
    others: 'changeTeamUserRole(ssoId: "mod", ssoType: SSO, role: ADMIN) { id }',
  },
};
