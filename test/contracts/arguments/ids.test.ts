import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCatalogue } from '../../../src/platform/errors.ts';
import { type TestApp, testBoth } from '../../support/app.ts';
import { idArguments } from './listing.ts';
import { type Kind, makeRow, type Rows, rowsElsewhere, rowsOf } from './rows.ts';

/**
 * What takes an id, as a root field with `$x` for the id, and whose id it takes. `$post` is another post, and `$own` the
 * one that the comment is on.
 */
type ActorContext = {
  kind: Kind;
  field: string;
  /** What it takes beside: these are what it is for, or what it does not mind. */
  takes?: readonly string[];
};

const post = (field: string, takes?: readonly string[]): ActorContext => ({
  kind: 'post',
  field,
  ...(takes && { takes }),
});
const ben = '{ ssotype: "SSO", userId: "ben" }';

/** Names of all ids that are of the form that ids have. */
const everyId = [
  ...Object.keys(makeRow),
  ...Object.keys(makeRow).map((what) => `${what} of another board`),
  'an id that nothing has',
  'an id of another version',
];

const calls: Record<string, ActorContext> = {
  'Query.post(id)': post('query post(id: $x) { id }', ['merged post']),
  'Query.comment(id)': { kind: 'comment', field: 'query comment(id: $x) { id }' },
  'Query.status(id)': { kind: 'status', field: 'query status(id: $x) { id }' },
  'Query.tag(id)': { kind: 'tag', field: 'query tag(id: $x) { id }' },
  'Query.comments(postId)': post('query comments(postId: $x) { nodes { id } }', ['merged post']),
  'Query.votes(postId)': post('query votes(postId: $x) { nodes { id } }', ['merged post']),
  'PostFilter(is)': { kind: 'status', field: 'query posts(filters: [{ type: STATUS, is: $x }]) { totalCount }' },
  'PostWhere(statusIds)': { kind: 'status', field: 'query posts(where: { statusIds: [$x] }) { totalCount }' },
  'PostWhere(tagIds)': { kind: 'tag', field: 'query posts(where: { tagIds: [$x] }) { totalCount }' },
  'UserRef(id)': { kind: 'user', field: 'mutation upvotePost(postId: $post, voter: { id: $x }) { id }' },
  'Mutation.createPost(statusId)': { kind: 'status', field: 'mutation createPost(title: "T", statusId: $x) { id }' },
  'Mutation.createPost(tagIds)': { kind: 'tag', field: 'mutation createPost(title: "T", tagIds: [$x]) { id }' },
  'Mutation.createPost(files)': { kind: 'file', field: 'mutation createPost(title: "T", files: [$x]) { id }' },
  'Mutation.createComment(files)': {
    kind: 'file',
    field: 'mutation createComment(postId: $post, text: "T", files: [$x]) { id }',
  },
  'Mutation.updatePost(id)': post('mutation updatePost(id: $x, title: "T") { node { id } }', ['merged post']),
  'Mutation.updatePost(tagIds)': { kind: 'tag', field: 'mutation updatePost(id: $post, tagIds: [$x]) { node { id } }' },
  'Mutation.deletePost(postId)': post('mutation deletePost(postId: $x) { id }'),
  'Mutation.restorePost(id)': post('mutation restorePost(id: $x) { id }', ['deleted post', 'merged post']),
  'Mutation.changePostStatus(postId)': post('mutation changePostStatus(postId: $x, statusType: COMPLETED) { id }'),
  'Mutation.changePostStatus(statusId)': {
    kind: 'status',
    field: 'mutation changePostStatus(postId: $post, statusType: CUSTOM, statusId: $x) { id }',
  },
  'Mutation.changePostModerationStatus(id)': post(
    'mutation changePostModerationStatus(id: $x, moderationStatus: FLAGGED) { id }',
    ['merged post'],
  ),
  'Mutation.mergePosts(sourceIds)': post('mutation mergePosts(sourceIds: [$x], targetId: $post) { id }'),
  'Mutation.mergePosts(targetId)': post('mutation mergePosts(sourceIds: [$post], targetId: $x) { id }'),
  'Mutation.unmergePost(id)': { kind: 'merged post', field: 'mutation unmergePost(id: $x) { id }' },
  'Mutation.createComment(postId)': post('mutation createComment(postId: $x, text: "T") { id }'),
  'Mutation.createComment(parentId)': {
    kind: 'comment',
    field: 'mutation createComment(postId: $own, text: "T", parentId: $x) { id }',
  },
  'Mutation.updateComment(id)': { kind: 'comment', field: 'mutation updateComment(id: $x, text: "T") { id }' },
  'Mutation.deleteComment(id)': { kind: 'comment', field: 'mutation deleteComment(id: $x) { id }' },
  'Mutation.restoreComment(id)': {
    kind: 'deleted comment',
    field: 'mutation restoreComment(id: $x) { id }',
    takes: ['comment'],
  },
  'Mutation.undo(operationId)': { kind: 'operation', field: 'mutation undo(operationId: $x) { id }' },
  'Mutation.changeCommentModerationStatus(id)': {
    kind: 'comment',
    field: 'mutation changeCommentModerationStatus(id: $x, moderationStatus: FLAGGED) { id }',
  },
  'Mutation.upvotePost(postId)': post('mutation upvotePost(postId: $x) { id }'),
  'Mutation.downvotePost(postId)': post('mutation downvotePost(postId: $x) { id }'),
  'Mutation.removeVote(postId)': post('mutation removeVote(postId: $x) { id }'),
  'Mutation.subscribeToPost(postId)': post('mutation subscribeToPost(postId: $x) { id }'),
  'Mutation.unsubscribeFromPost(postId)': post('mutation unsubscribeFromPost(postId: $x) { id }'),
  'Mutation.assignPost(postId)': post(`mutation assignPost(postId: $x, user: ${ben}) { id }`, ['merged post']),
  'Mutation.unassignPost(postId)': post(`mutation unassignPost(postId: $x, user: ${ben}) { id }`, ['merged post']),
  'Mutation.createStatus(boardId)': {
    kind: 'board',
    field: 'mutation createStatus(boardId: $x, name: $name, color: "#fff") { id }',
  },
  'Mutation.updateStatus(id)': { kind: 'status', field: 'mutation updateStatus(id: $x, color: "#fff") { id }' },
  'Mutation.deleteStatus(id)': { kind: 'status', field: 'mutation deleteStatus(id: $x) { id }' },
  'Mutation.rearrangeStatuses(ids)': { kind: 'status', field: 'mutation rearrangeStatuses(ids: [$x])' },
  'Query.field(id)': { kind: 'field', field: 'query field(id: $x) { id }' },
  'Mutation.createField(boardId)': {
    kind: 'board',
    field: 'mutation createField(boardId: $x, label: $name, type: TEXT) { node { id } }',
  },
  'Mutation.updateField(boardId)': {
    kind: 'board',
    field: 'mutation updateField(id: $field, boardId: $x) { node { id } }',
  },
  'Mutation.updateField(id)': {
    kind: 'field',
    field: 'mutation updateField(id: $x, description: "D") { node { id } }',
  },
  'PostPropertyInput(parent)': {
    kind: 'field',
    field: 'mutation updatePost(id: $post, properties: [{ parent: $x, values: ["V"] }]) { node { id } }',
  },
  'Mutation.deleteField(id)': { kind: 'field', field: 'mutation deleteField(id: $x) { node { id } }' },
  'Mutation.updateTag(id)': { kind: 'tag', field: 'mutation updateTag(id: $x, color: "#fff") { id }' },
  'Mutation.deleteTag(id)': { kind: 'tag', field: 'mutation deleteTag(id: $x) { id }' },
  'Query.changelogEntry(id)': { kind: 'entry', field: 'query changelogEntry(id: $x) { id }' },
  'Mutation.createChangelogEntry(postIds)': post('mutation createChangelogEntry(title: "T", postIds: [$x]) { id }'),
  'Mutation.createChangelogEntry(files)': {
    kind: 'file',
    field: 'mutation createChangelogEntry(title: "T", files: [$x]) { id }',
  },
  'Mutation.updateChangelogEntry(id)': {
    kind: 'entry',
    field: 'mutation updateChangelogEntry(id: $x, title: "T") { id }',
  },
  'Mutation.updateChangelogEntry(postIds)': post('mutation updateChangelogEntry(id: $entry, postIds: [$x]) { id }'),
  'Mutation.updateChangelogEntry(files)': {
    kind: 'file',
    field: 'mutation updateChangelogEntry(id: $entry, files: [$x]) { id }',
  },
  'Mutation.publishChangelogEntry(id)': { kind: 'entry', field: 'mutation publishChangelogEntry(id: $x) { id }' },
  'Mutation.unpublishChangelogEntry(id)': { kind: 'entry', field: 'mutation unpublishChangelogEntry(id: $x) { id }' },
  'Mutation.deleteChangelogEntry(id)': { kind: 'entry', field: 'mutation deleteChangelogEntry(id: $x) { id }' },
  'Mutation.addChangelogReaction(id)': {
    kind: 'entry',
    field: 'mutation addChangelogReaction(id: $x, reaction: HEART) { id }',
  },
  'Mutation.removeChangelogReaction(id)': {
    kind: 'entry',
    field: 'mutation removeChangelogReaction(id: $x, reaction: HEART) { id }',
  },
  'Mutation.addCommentReaction(id)': {
    kind: 'comment',
    field: 'mutation addCommentReaction(id: $x, reaction: HEART) { id }',
  },
  'Mutation.removeCommentReaction(id)': {
    kind: 'comment',
    field: 'mutation removeCommentReaction(id: $x, reaction: HEART) { id }',
  },
  // The last, because these take the ids that nothing had.
  'Mutation.createField(id)': {
    kind: 'post',
    field: 'mutation createField(boardId: $board, id: $x, label: $name, type: TEXT) { node { id } }',
    takes: everyId.filter((what) => what !== 'field'),
  },
  'Mutation.createStatus(id)': {
    kind: 'post',
    field: 'mutation createStatus(id: $x, name: $name, color: "#fff") { id }',
    takes: everyId.filter((what) => what !== 'status'),
  },
};

/** Arguments that clients send and that change nothing: whatever they are, they are taken. */
const ignored = [
  'Mutation.createStatus(postId)',
  'Mutation.updateStatus(postId)',
  'Mutation.deleteStatus(postId)',
  'Mutation.updateField(postId)',
];

/** Ids that no row can have. */
const impossible: Record<string, string> = {
  'no id': 'x',
  'an empty text': '',
  'white space': ' ',
  'an id that nothing has': '01900000-0000-7000-8000-000000000000',
  'an id of another version': '01900000-0000-4000-8000-000000000000',
  'the character NUL': '\u0000',
  'half of a surrogate pair': '\ud800',
  'a text of 10,000 characters': 'x'.repeat(10_000),
  'a piece of SQL': "' or 1=1 --",
};

test('every argument of the schema that takes an id is tested', () => {
  assert.deepEqual([...Object.keys(calls), ...ignored].sort(), idArguments.toSorted());
});

testBoth('wherever an id is taken, one of something else is refused in words', async (app) => {
  await app.makeUser('ben', 'MODERATOR');
  const elsewhere = await rowsElsewhere(app);
  const wrong: string[] = [];
  for (const [name, context] of Object.entries(calls)) {
    const here = await rowsOf(app);
    const ids: Rows = {
      ...impossible,
      ...Object.fromEntries(Object.entries(elsewhere).map(([what, id]) => [`${what} of another board`, id])),
      ...here,
    };
    const isRight = (what: string) => what === context.kind || context.takes?.includes(what) === true;
    // What is right comes last: it may change what the others are.
    const rightLast = Object.entries(ids).sort(([a], [b]) => Number(isRight(a)) - Number(isRight(b)));
    const order = new Map(rightLast.map(([what, id]) => [id, what] as const));
    for (const [id, what] of order) {
      const problem = await findProblem(app, context, here, id, isRight(what));
      if (problem !== null) wrong.push(`${name} with ${what}: ${problem}`);
    }
  }
  assert.deepEqual(wrong, []);
});

let names = 0;

async function send(app: TestApp, { field }: ActorContext, here: Rows, x: string) {
  const [kind = '', ...rest] = field.split(' ');
  const all = {
    x,
    post: field.includes('$post') ? await makeRow.post(app) : undefined,
    own: here.post,
    entry: here.entry,
    board: here.board,
    field: here.field,
    name: `New ${names++}`,
  };
  const used = Object.entries(all).filter(([name]) => field.includes(`$${name}`));
  const head = used.map(([name]) => `$${name}: String!`).join(', ');
  return app.gql(`${kind}(${head}) { result: ${rest.join(' ')} }`, Object.fromEntries(used));
}

/** What is wrong with the answer to an id; null when it is as it should be. */
async function findProblem(
  app: TestApp,
  context: ActorContext,
  here: Rows,
  id: string,
  isRight: boolean,
): Promise<string | null> {
  const { status, data, errors } = await send(app, context, here, id);
  const [error] = errors;
  if (status !== 200) return `HTTP status ${status}`;
  if (isRight) return error?.message ?? null;
  if (!error) return data.result === null ? null : 'it is taken';
  const { code } = error.extensions;
  if (!(code in errorCatalogue)) return `the code ${code} is not in the catalogue`;
  return ['NOT_FOUND', 'BAD_REQUEST', 'CONFLICT'].includes(code) ? null : `${code}: ${error.message}`;
}
