import { publishNew } from '../support/changelog.ts';
import { makeField } from '../support/fields.ts';
import { makeForm, sendForm } from '../support/files.ts';
import { makeScene, type Scene, type Stage } from './board.ts';
import type { Check } from './reads.ts';

/** Operations that must all be allowed, or all be refused. `extra` gives further variables. */
function doing(
  fields: readonly string[],
  extra: (stage: Stage, scene: Scene) => Promise<object> | object = () => ({}),
): Check {
  return async (stage, as) => {
    const answers: boolean[] = [];
    for (const field of fields) {
      const scene = await makeScene(stage);
      const variables = {
        post: scene.postId,
        comment: scene.commentId,
        tag: scene.tagId,
        ...(await extra(stage, scene)),
      };
      const used = Object.entries(variables).filter(([name]) => field.includes(`$${name}`));
      const declared = used.map(([name, value]) => `$${name}: ${Array.isArray(value) ? '[String!]!' : 'String!'}`);
      const kind = field.startsWith('query ') ? 'query' : 'mutation';
      const head = declared.length > 0 ? `${kind}(${declared.join(', ')})` : kind;
      const { errors } = await stage.gql(`${head} { ${field.replace('query ', '')} }`, Object.fromEntries(used), {
        as,
      });
      const code = errors[0]?.extensions.code;
      const isRefused = code === 'FORBIDDEN' || (as === null && code === 'BAD_REQUEST');
      if (code !== undefined && !isRefused) throw new Error(`${field} as ${as}: ${errors[0]?.message}`);
      answers.push(code === undefined);
    }
    if (new Set(answers).size > 1) throw new Error(`${as} may do some of ${fields.join(', ')}: ${answers.join(', ')}`);
    return answers[0] ?? false;
  };
}

const ANN = '{ ssotype: "SSO", userId: "ann" }';
const MOD = '{ ssotype: "SSO", userId: "mod" }';

const other = async (stage: Stage) => ({ source: [(await makeScene(stage)).postId] });

/** A post that is merged already. */
const merged = async (stage: Stage, { postId }: Scene) => {
  const { source } = await other(stage);
  await stage.ask('mutation($s: [String!]!, $t: String!) { mergePosts(sourceIds: $s, targetId: $t) { id } }', {
    s: source,
    t: postId,
  });
  return { merged: source[0] };
};

const both =
  (...checks: Check[]): Check =>
  async (stage, as) => {
    const answers: boolean[] = [];
    for (const check of checks) answers.push(await check(stage, as));
    if (new Set(answers).size > 1) throw new Error(`${as} may do some of it: ${answers.join(', ')}`);
    return answers[0] ?? false;
  };

/** An upload, and then the two ways to use one. */
const uploading: Check = async (stage, as) => {
  const { postId } = await makeScene(stage);
  const send = () => sendForm(stage, makeForm([{ filename: 'a.txt', bytes: 'a' }]), { as });
  const answers = [await send(), await send()];
  const [ofPost, ofComment] = answers.map((answer) => answer.json().id ?? null);
  const query = `mutation($post: String!, $a: String, $b: String) {
    createPost(title: "T", files: [$a]) { files { id } } createComment(postId: $post, text: "C", files: [$b]) { files { id } }
  }`;
  const { data } = await stage.gql(query, { post: postId, a: ofPost, b: ofComment }, { as });
  const used = [...(data?.createPost?.files ?? []), ...(data?.createComment?.files ?? [])].length;
  if (new Set([...answers.map(({ statusCode }) => statusCode === 201), used === 2]).size > 1) {
    throw new Error(`${as} may do some of it: ${answers.map((a) => a.statusCode)}, ${used}`);
  }
  return used === 2;
};

/** The rows of the table about doing. */
export const actions: Record<string, Check> = {
  'post, comment, reply, vote and follow': doing([
    'createPost(title: "T", comment: "C") { id }',
    'createComment(postId: $post, text: "C") { id }',
    'createComment(postId: $post, parentId: $comment, text: "C") { id }',
    'upvotePost(postId: $post) { id }',
    'downvotePost(postId: $post) { id }',
    'removeVote(postId: $post) { id }',
    'subscribeToPost(postId: $post) { id }',
    'unsubscribeFromPost(postId: $post) { id }',
  ]),
  'upload files, and put them on posts and comments (`files:`)': uploading,
  'choose public tags for a new post (`createPost(tagIds:)`)': doing(['createPost(title: "T", tagIds: [$tag]) { id }']),
  'change the title and text of a post': doing([
    'updatePost(id: $post, title: "T") { node { id } }',
    'updatePost(id: $post, comment: "C") { node { id } }',
  ]),
  'delete and restore a post': both(
    doing(['deletePost(postId: $post) { id }', 'restorePost(id: $post) { id }']),
    doing(['restorePost(id: $deleted) { id }'], async (stage) => {
      const { postId: deleted } = await makeScene(stage);
      await stage.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: deleted }, { as: 'ann' });
      return { deleted };
    }),
  ),
  'restore a post that a moderator deleted': doing(['restorePost(id: $deleted) { id }'], async (stage) => {
    const { postId: deleted } = await makeScene(stage);
    await stage.ask('mutation($id: String!) { deletePost(postId: $id) { id } }', { id: deleted }, { as: 'mod' });
    return { deleted };
  }),
  'change and delete a comment': doing([
    'updateComment(id: $comment, text: "C") { id }',
    'deleteComment(id: $comment) { id }',
  ]),
  'restore a comment': doing(['restoreComment(id: $deleted) { id }'], async (stage) => {
    const { commentId: deleted } = await makeScene(stage);
    await stage.ask('mutation($id: String!) { deleteComment(id: $id) { id } }', { id: deleted }, { as: 'ann' });
    return { deleted };
  }),
  'undo what the team did (`undo`)': doing(['undo(operationId: $operation) { id }'], async (stage, { postId: id }) => {
    const lock = 'mutation($id: String!) { updatePost(id: $id, isLocked: true) { node { id } } }';
    const { headers } = await stage.gql(lock, { id }, { as: 'mod' });
    return { operation: headers['earshot-operation-id'] };
  }),
  'write comments of type INTERNAL and OFFICIAL': doing([
    'createComment(postId: $post, text: "C", type: INTERNAL) { id }',
    'createComment(postId: $post, text: "C", type: OFFICIAL) { id }',
  ]),
  'lock and pin a post': doing([
    'updatePost(id: $post, isLocked: true) { node { id } }',
    'updatePost(id: $post, isPinned: true) { node { id } }',
  ]),
  'set when a post is expected (`updatePost(expected:)`)': doing([
    'updatePost(id: $post, expected: "2026-Q3") { node { id } }',
  ]),
  'choose a status (`changePostStatus`, `createPost(statusId:)`)': doing(
    ['changePostStatus(postId: $post, statusType: COMPLETED) { id }', 'createPost(title: "T", statusId: $open) { id }'],
    ({ statuses }) => ({ open: statuses.get('Open') }),
  ),
  'create, change, delete and rearrange statuses': doing(
    [
      'createStatus(name: $new, color: "#fff") { id }',
      'updateStatus(id: $own, name: $new) { id }',
      'rearrangeStatuses(ids: [$own])',
      'deleteStatus(id: $own) { id }',
    ],
    async (stage, { word }) => {
      const make = 'mutation($name: String!) { createStatus(name: $name, color: "#fff") { id } }';
      return { new: `new ${word}`, own: (await stage.ask(make, { name: `own ${word}` })).createStatus.id };
    },
  ),
  'create, change and delete fields': doing(
    [
      'createField(boardId: $board, label: $new, type: TEXT) { node { id } }',
      'updateField(id: $own, isRequired: false) { node { id } }',
      'deleteField(id: $own) { node { id } }',
    ],
    async (stage, { word }) => ({
      board: stage.board.id,
      new: `new ${word}`,
      own: (await makeField(stage, `own ${word}`)).id,
    }),
  ),
  'fill in public fields of a new post (`createPost(properties:)`)': doing(
    ['createPost(title: "T", properties: [{ parent: $own, values: ["x"] }]) { id }'],
    async (stage, { word }) => ({ own: (await makeField(stage, `own ${word}`)).id }),
  ),
  'change the public fields of a post (`updatePost(properties:)`)': doing(
    ['updatePost(id: $post, properties: [{ parent: $own, values: ["x"] }]) { node { id } }'],
    async (stage, { word }) => ({ own: (await makeField(stage, `own ${word}`)).id }),
  ),
  'change the tags of a post (`updatePost(tagIds:)`)': doing(['updatePost(id: $post, tagIds: [$tag]) { node { id } }']),
  'create, change and delete tags': doing(
    ['createTag(name: $new) { id }', 'updateTag(id: $tag, color: "#fff") { id }', 'deleteTag(id: $tag) { id }'],
    (_, { word }) => ({ new: `new ${word}` }),
  ),
  'write, publish, withdraw and delete changelog entries': doing(
    [
      'createChangelogEntry(title: "T") { id }',
      'updateChangelogEntry(id: $entry, title: "T") { id }',
      'publishChangelogEntry(id: $entry) { id }',
      'unpublishChangelogEntry(id: $entry) { id }',
      'deleteChangelogEntry(id: $entry) { id }',
    ],
    async (stage) => ({ entry: await publishNew(stage) }),
  ),
  'react to changelog entries': doing(
    [
      'addChangelogReaction(id: $entry, reaction: HEART) { id }',
      'removeChangelogReaction(id: $entry, reaction: HEART) { id }',
    ],
    async (stage) => ({ entry: await publishNew(stage) }),
  ),
  'react to comments': doing([
    'addCommentReaction(id: $comment, reaction: HEART) { id }',
    'removeCommentReaction(id: $comment, reaction: HEART) { id }',
  ]),
  'moderate posts and comments': doing([
    'changePostModerationStatus(id: $post, moderationStatus: FLAGGED) { id }',
    'changeCommentModerationStatus(id: $comment, moderationStatus: FLAGGED) { id }',
  ]),
  'merge and unmerge posts': both(
    doing(['mergePosts(sourceIds: $source, targetId: $post) { id }'], other),
    doing(['unmergePost(id: $merged) { id }'], merged),
  ),
  'assign posts, and filter by `assignedTo`': doing([
    `assignPost(postId: $post, user: ${MOD}) { id }`,
    `unassignPost(postId: $post, user: ${MOD}) { id }`,
    `query posts(where: { assignedTo: ${MOD} }) { totalCount }`,
  ]),
  'change a profile (`updateUser`)': doing(['updateUser(ssoId: "ann", ssoType: SSO, bio: "B") { id }']),
  'erase a user (`deleteUser`)': async (stage, as) => {
    const isErased = await doing(['deleteUser(ssoId: "ann", ssoType: SSO) { id }'])(stage, as);
    await stage.makeUser('ann');
    return isErased;
  },
  'invite to the team, change roles and remove team members': doing(
    [
      'addTeamUser(emails: [$email], type: MODERATOR) { id }',
      'changeTeamUserRole(ssoId: "zoe", ssoType: SSO, role: MODERATOR) { id }',
      'changeTeamUserRole(ssoId: "zoe", ssoType: SSO, role: MEMBER) { id }',
      'removeTeamUser(ssoId: "zoe", ssoType: SSO)',
    ],
    (_, { word }) => ({ email: `${word}@example.com` }),
  ),
  'act for other users (`author`, `voter`, `user`) or in the past (`dateCreated`)': doing([
    `createPost(title: "T", author: ${ANN}) { id }`,
    'createPost(title: "T", dateCreated: "2020-01-01T00:00:00.000Z") { id }',
    `createComment(postId: $post, text: "C", author: ${ANN}) { id }`,
    'createComment(postId: $post, text: "C", dateCreated: "2020-01-01T00:00:00.000Z") { id }',
    `upvotePost(postId: $post, voter: ${ANN}) { id }`,
    `removeVote(postId: $post, voter: ${ANN}) { id }`,
    `subscribeToPost(postId: $post, user: ${ANN}) { id }`,
    `unsubscribeFromPost(postId: $post, user: ${ANN}) { id }`,
  ]),
};
