import { plain, type Sample, withEach } from './sample.ts';

const REF = 'mutation($author: UserRef) { createPost(title: "By a user", author: $author) { author { name } } }';

const creating: Sample[] = [
  ...plain(
    'mutation { createPost(title: "New") { title number pid url excerpt content author { name } status { name } } }',
    'mutation { createPost(title: "New", comment: "Text") { id content comments { nodes { text isFirst } } } }',
    'mutation { createPost(title: "New", comment: null, statusId: null, author: null, dateCreated: null, externalId: null) { title } }',
    'mutation { createPost(title: "New", files: [null]) { title files { name url } } }',
    'mutation { createPost(title: "New", files: ["nothing"]) { title } }',
    'mutation { createPost(title: "Old", dateCreated: "2020-01-01T00:00:00Z", externalId: "x-1") { dateCreated externalId } }',
    'mutation { createPost(title: "Future", dateCreated: "2090-01-01T00:00:00Z") { title } }',
    'mutation { createPost(title: "") { title } }',
    'mutation { createPost(title: "By Ben", author: { ssotype: "SSO", userId: "ben" }) { author { name } } }',
    'mutation { createPost(title: "Without an author", author: {}) { author { name } } }',
    'mutation { a: createPost(title: "One") { number } b: createPost(title: "Two") { number } board: createPost(title: "Three") { board { postCount } } }',
    'mutation { a: createPost(title: "") { number } b: createPost(title: "Two") { number } }',
    'mutation { a: createPost(title: "One") { number } b: createPost(title: " ") { number } c: createPost(title: "Three") { number } }',
    'mutation { createComment(postId: "<dark>", text: "More") { text post { commentCount title } user { name } } }',
    'mutation { createComment(postId: "<locked>", text: "More") { text } }',
    'mutation { createComment(postId: "nothing", text: "More") { text } }',
    'mutation { createUser(ssotype: "SSO", userId: "gus", attributes: { a: 1, b: [true, null, "x", { c: 1.5 }] }) { name attributes } }',
    'mutation { createUser(ssotype: "SSO", userId: "gus", ssoType: SSO, ssoId: "gus", name: "Gus") { ssoType ssoId name } }',
    'mutation { createUser(ssotype: "SSO", userId: "gus", ssoId: "other") { name } }',
    'mutation { createUser(ssotype: "SSO") { name } }',
    'mutation { updateUser(ssoId: "ben", name: "Benjamin", attributes: null) { name bio attributes } }',
    'mutation { updateUser(ssoId: "ben", ssoType: okta, name: "B") { name } }',
    'mutation { deleteUser(ssoId: "ben") { id ssoId name email role attributes } posts: createPost(title: "After") { title } }',
    'mutation { deleteUser(ssoId: "ada", keepContent: false) { id } }',
    'mutation { addTeamUser(emails: ["eve@example.com"], type: ADMIN) { name team { role email isInvitationPending ssoId user { name } } } }',
    'mutation { addTeamUser(emails: ["nobody"], type: ADMIN) { name } }',
    'mutation { changeTeamUserRole(ssoId: "cleo", role: ADMIN) { team { role user { name role } } } }',
    'mutation { changeTeamUserRole(ssoId: "ada", ssoType: SSO, role: MEMBER) { name } }',
    'mutation { removeTeamUser(ssoId: "cleo") again: removeTeamUser(ssoId: "cleo") nobody: removeTeamUser(ssoId: "nobody") }',
  ),
  ...withEach(
    REF,
    {},
    { author: null },
    { author: { email: 'ben@example.com' } },
    { author: { ssotype: 'SSO', userId: 'ben' } },
  ),
  ...withEach(
    REF,
    { author: { ssotype: 'SSO' } },
    { author: { id: '<ben>' } },
    { author: { nothing: 1 } },
    { author: 'ben' },
  ),
  ...withEach(
    'mutation($id: String, $mail: String) { createPost(title: "T", author: { id: $id, email: $mail }) { author { name } } }',
    { id: '<ben>' },
    { mail: 'ben@example.com', id: null },
    {},
  ),
  ...withEach(
    'mutation($title: String = "By default") { createPost(title: $title) { title } second: createPost(title: "Two") { title } }',
    {},
    { title: 'Given' },
    { title: null },
  ),
  ...withEach(
    'mutation($date: DateTime) { createPost(title: "T", dateCreated: $date) { dateCreated } }',
    {},
    { date: null },
    { date: '2020-02-03T04:05:06.789+01:00' },
    { date: 'yesterday' },
    { date: 7 },
  ),
  ...withEach(
    'mutation($date: DateTime = "2020-01-01T00:00:00Z") { createPost(title: "T", dateCreated: $date) { dateCreated } }',
    {},
    { date: null },
  ),
  ...withEach(
    'mutation($json: JSON) { createUser(ssotype: "SSO", userId: "gus", attributes: $json) { attributes } }',
    {},
    { json: null },
    { json: { deep: { list: [1, 'two', null] } } },
    { json: [] },
    { json: 'text' },
  ),
  ...withEach(
    'mutation($json: JSON = { a: [1] }) { createUser(ssotype: "SSO", userId: "gus", attributes: $json) { attributes } }',
    {},
    { json: { b: 2 } },
  ),
  ...withEach(
    'mutation($x: Int) { createUser(ssotype: "SSO", userId: "gus", attributes: { x: $x, y: 1 }) { attributes } }',
    {},
    { x: null },
    { x: 5 },
  ),
  ...withEach(
    'mutation($name: String, $mention: Boolean) { createUser(ssotype: "SSO", userId: "ben", name: $name, emailOnMention: $mention) { name emailOnMention } }',
    {},
    { name: null },
    { name: 'Benjamin', mention: false },
    { mention: 'no' },
  ),
  ...withEach(
    'mutation($t: SSOTypes!) { createUser(ssoType: $t, ssoId: "gus") { ssoType } }',
    { t: 'okta' },
    { t: ' ' },
  ),
];

const tagging: Sample[] = [
  ...plain(
    'mutation { createTag(name: "New", color: "#fff") { name color isPrivate postCount } board: createPost(title: "T") { board { tags { name } } } }',
    'mutation { createTag(name: "BUG") { name } }',
    'mutation { updateTag(id: "<bug>", color: null, isPrivate: true) { name color isPrivate } }',
    'mutation { deleteTag(id: "<bug>") { name postCount } again: deleteTag(id: "<bug>") { name } }',
    'mutation { updatePost(id: "<dark>", tagIds: []) { node { tags { name } } } }',
  ),
  ...withEach(
    'mutation($tagIds: [String!]) { createPost(title: "T", tagIds: $tagIds) { tags { name } } }',
    {},
    { tagIds: null },
    { tagIds: '<bug>' },
    { tagIds: ['<bug>', '<secret>', '<bug>'] },
    { tagIds: ['<bug>', 'nothing'] },
    { tagIds: [null] },
  ),
];

const arranging: Sample[] = [
  ...plain(
    'mutation { createStatus(name: "Later", color: "#fff") { id: name node { name color type position postVisibility } color type } }',
    'mutation { createStatus(name: "PLANNED", color: "#fff") { name } }',
    'mutation { createStatus(boardId: "elsewhere", name: "Later", color: "#fff") { name } }',
    'mutation { updateStatus(id: "<planned>", color: "red") { node { name } } again: updateStatus(id: "<planned>", postVisibility: TEAM) { name postVisibility } }',
    'mutation { deleteStatus(id: "<planned>") { name node { posts { nodes { title } } } } again: deleteStatus(id: "<planned>", postId: "x") { name } }',
    'mutation { rearrangeStatuses(ids: []) again: rearrangeStatuses(ids: "<planned>") more: rearrangeStatuses(ids: ["x"]) }',
  ),
  ...withEach(
    'mutation($v: PostVisibility, $name: String) { updateStatus(id: "<planned>", postVisibility: $v, name: $name) { node { name postVisibility } } }',
    {},
    { v: null, name: null },
    { v: 'HIDDEN', name: 'Soon' },
    { v: 'SECRET' },
  ),
];

const filling: Sample[] = [
  ...plain(
    'mutation { createField(boardId: "x", label: "L", type: TEXT) { node { label } } }',
    'mutation { updateField(id: "<plan>", label: "Tier", options: [{ name: "Pro" }, null]) { node { label type isRequired allowUrlPrefill locations visibility options { name color } } } }',
    'mutation { deleteField(id: "<plan>") { node { label } } again: deleteField(id: "<plan>") { node { label } } }',
    'mutation { rearrangeFields(ids: []) again: rearrangeFields(ids: "<plan>") more: rearrangeFields(ids: ["x"]) }',
    'mutation { createPost(title: "T", properties: [{ parent: "<plan>", values: ["Pro", null] }, null]) { properties { type values field { label } } } }',
    'mutation { updatePost(id: "<dark>", properties: [{ parent: "<plan>", values: [] }]) { node { properties { values } } } }',
    'mutation { createPost(title: "T", properties: { parent: "nothing", values: "x" }) { title } }',
  ),
  ...withEach(
    'mutation($properties: [PostPropertyInput]) { updatePost(id: "<dark>", properties: $properties) { node { properties { parent values } } } }',
    {},
    { properties: null },
    { properties: [{ parent: '<plan>', values: ['free'] }] },
    { properties: [{ parent: '<plan>', values: 'Max' }] },
    { properties: [{ parent: '<plan>' }] },
  ),
];

const changing: Sample[] = [
  ...plain(
    'mutation { updatePost(id: "<dark>", title: "Darker", isPinned: true) { node { title isPinned } comment { text } } }',
    'mutation { updatePost(id: "<bare>", comment: "Now with text") { node { content excerpt } comment { text isFirst } } }',
    'mutation { updatePost(id: "<bare>") { node { content } comment { text } } }',
    'mutation { updatePost(id: "nothing", title: "x") { node { title } } }',
    'mutation { deletePost(postId: "<dark>") { title } restorePost(id: "<dark>") { title board { postCount } } }',
    'mutation { deletePost(postId: "<deleted>") { title } }',
    'mutation { restorePost(id: "<deleted>") { title comments { nodes { text } } } }',
    'mutation { changePostStatus(postId: "<dark>", statusType: COMPLETED, comment: "Done") { status { name } dateCompleted comments { nodes { type text } } } }',
    'mutation { changePostStatus(postId: "<dark>", statusType: CUSTOM) { status { name } } }',
    'mutation { changePostStatus(postId: "<dark>", statusType: CUSTOM, statusId: "<planned>") { status { name } } }',
    'mutation { changePostStatus(postId: "<dark>", statusType: MERGED) { status { name } } }',
    'mutation { deleteComment(id: "<praise>") { text post { commentCount } } }',
    'mutation { deleteComment(id: "<praise>") { text } again: deleteComment(id: "<praise>") { text } }',
    'mutation { a: upvotePost(postId: "<bare>") { upvoteCount viewerVote } b: downvotePost(postId: "<bare>") { upvoteCount downvoteCount viewerVote } c: removeVote(postId: "<bare>") { downvoteCount viewerVote } }',
    'mutation { a: upvotePost(postId: "<locked>") { upvoteCount } b: upvotePost(postId: "<bare>") { upvoteCount } }',
    'mutation { upvotePost(postId: "<bare>", voter: { ssotype: "SSO", userId: "nobody" }) { upvoteCount } }',
    'mutation Vote { ...V } fragment V on Mutation { upvotePost(postId: "<bare>") { ...P } } fragment P on Post { upvoteCount }',
    'mutation { __typename upvotePost(postId: "<bare>") { __typename } }',
  ),
  ...withEach(
    'mutation($type: StatusType!, $id: String) { changePostStatus(postId: "<dark>", statusType: $type, statusId: $id) { status { name } } }',
    { type: 'ARCHIVED' },
    { type: 'CUSTOM', id: '<planned>' },
    { type: 'CUSTOM', id: null },
    { type: 'NONE' },
    {},
  ),
  ...withEach(
    'mutation($up: Boolean!) { upvotePost(postId: "<bare>") @include(if: $up) { upvoteCount } removeVote(postId: "<bare>") @skip(if: $up) { upvoteCount } }',
    { up: true },
    { up: false },
  ),
];

const conversing: Sample[] = plain(
  'mutation { createComment(postId: "<dark>", text: "Hm", parentId: "<reply>") { text parent { text replies { nodes { text } } } } }',
  'mutation { createComment(postId: "<dark>", text: "Hm", type: INTERNAL, notifyOP: true) { type post { commentCount } } }',
  'mutation { createComment(postId: "<dark>", text: "Hm", type: TITLE_CHANGE) { type } }',
  'mutation { createComment(postId: "<bare>", text: "Hm", parentId: "<reply>") { type } }',
  'mutation { updateComment(id: "<praise>", text: "Much praise") { text dateUpdated } }',
  'mutation { changeCommentModerationStatus(id: "<spam>", moderationStatus: APPROVED) { moderationStatus moderator { name } } }',
  'mutation { changePostModerationStatus(id: "<held>", moderationStatus: APPROVED) { moderationStatus moderatedBy } board: createPost(title: "T") { board { postCount } } }',
  'mutation { mergePosts(sourceIds: ["<bare>"], targetId: "<dark>") { upvoteCount mergedPosts { title status { name } } } }',
  'mutation { a: mergePosts(sourceIds: ["<bare>"], targetId: "<bare>") { id } b: mergePosts(sourceIds: "<merged>", targetId: "<bare>") { id } }',
  'mutation { unmergePost(id: "<merged>") { title upvoteCount mergedInto { title } } }',
  'mutation { subscribeToPost(postId: "<dark>") { isSubscribed subscribers { totalCount nodes { name } } } }',
  'mutation { a: unsubscribeFromPost(postId: "<dark>") { isSubscribed } b: subscribeToPost(postId: "<merged>") { id } }',
  'mutation { assignPost(postId: "<bare>", user: { id: "<ben>" }) { assignments { nodes { user { name } } } } }',
  'mutation { unassignPost(postId: "<dark>", user: { ssotype: "SSO", userId: "cleo" }) { assignments { nodes { dateCreated } } } }',
);

const asMember: Sample[] = plain(
  'mutation { mergePosts(sourceIds: ["<bare>"], targetId: "<dark>") { id } }',
  'mutation { createComment(postId: "<dark>", text: "Hm", type: OFFICIAL) { type } }',
  'mutation { updateComment(id: "<whisper>", text: "Not mine") { text } }',
  '{ post(id: "<dark>") { commentCount comments { nodes { text type moderationStatus moderator { name } } } assignments { nodes { user { name } } } } }',
  '{ posts(where: { moderationStatus: [PENDING] }) { totalCount nodes { title moderatedBy } } events(limit: 50) { nodes { type data } } }',
  'mutation { createPost(title: "Mine") { author { name email } } }',
  'mutation { updatePost(id: "<dark>", title: "Not mine") { node { title } } }',
  'mutation { a: deletePost(postId: "<dark>") { title } b: deletePost(postId: "<bare>") { title } }',
  'mutation { createPost(title: "As Ada", author: { ssotype: "SSO", userId: "ada" }) { title } }',
  'mutation { changePostStatus(postId: "<bare>", statusType: COMPLETED) { status { name } } }',
  '{ users { name email } listTags { name } post(id: "<dark>") { tags { name } } tag(id: "<secret>") { name } }',
  'mutation { createPost(title: "T", tagIds: ["<secret>"]) { title } }',
).map((sample) => ({ ...sample, as: 'ben' }));

/** Changes; each is carried out on the same state by both executors. */
export const mutations: Record<string, Sample[]> = {
  creating,
  tagging,
  arranging,
  filling,
  changing,
  conversing,
  asMember,
};
