import { z } from 'zod';
import type { UserRef } from '../../identity/users/users.ts';
import { ask, type Caller, type Run } from './caller.ts';
import { findPostId, findProperties, findStatus, findTagIds, findUserRef } from './names.ts';
import { POST_LINE, type PostLine, showPost } from './posts.ts';
import { below, QUOTED_POST } from './quoting.ts';
import { defineTool, dryRun, postRef, tagNames } from './tool.ts';
import { write, writeConfirmed } from './writing.ts';

const title = z.string().describe('1-200 characters');
const fields = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]))
  .optional()
  .describe('Values by label');

const CREATE = `mutation($title: String!, $comment: String, $statusId: String, $tagIds: [String!], $author: UserRef,
  $properties: [PostPropertyInput], $externalId: String) {
  createPost(title: $title, comment: $comment, statusId: $statusId, tagIds: $tagIds, author: $author,
    properties: $properties, externalId: $externalId) { ...PostLine }
} ${POST_LINE}`;

export const createPost = defineTool({
  name: 'create_post',
  description:
    'Create a post, after search_posts found none like it. Returns it; the same externalId again returns the first one.',
  right: 'take.part',
  kind: 'add',
  quotes: below('post', QUOTED_POST),
  fields: {
    title,
    text: z.string().optional().describe('Markdown'),
    status: z.string().optional(),
    tags: tagNames.optional(),
    author: z.string().optional().describe('Someone else'),
    fields,
    externalId: z.string().optional(),
    dryRun,
  },
  async run(caller, args) {
    const variables = {
      title: args.title,
      comment: args.text,
      statusId: args.status === undefined ? undefined : (await findStatus(caller, args.status)).id,
      tagIds: await findTagIds(caller, args.tags),
      author: await findUserRef(caller, args.author),
      properties: await findProperties(caller, args.fields),
      externalId: args.externalId,
    };
    return write(caller, args, async (run) => {
      const { createPost } = await run<{ createPost: PostLine }>(CREATE, variables);
      return { post: showPost(createPost) };
    });
  },
});

const UPDATE = `mutation($id: String!, $title: String, $comment: String, $tagIds: [String!], $expected: String,
  $isLocked: Boolean, $isPinned: Boolean, $properties: [PostPropertyInput]) {
  updatePost(id: $id, title: $title, comment: $comment, tagIds: $tagIds, expected: $expected, isLocked: $isLocked,
    isPinned: $isPinned, properties: $properties) { node { id } }
}`;
const MOVE = `mutation($id: String!, $type: StatusType!, $statusId: String, $comment: String) {
  changePostStatus(postId: $id, statusType: $type, statusId: $statusId, comment: $comment) { id }
}`;
const ASSIGN = 'mutation($id: String!, $user: UserRef!) { assignPost(postId: $id, user: $user) { id } }';
const UNASSIGN = 'mutation($id: String!, $user: UserRef!) { unassignPost(postId: $id, user: $user) { id } }';

/** Members of the team that one call assigns. */
const MAX_ASSIGNEES = 10;

export const updatePost = defineTool({
  name: 'update_post',
  description:
    'Change a post; what is left out stays as it is. A new status mails voters and followers: try it with dryRun. Returns the post.',
  right: 'take.part',
  kind: 'change',
  quotes: below('post', QUOTED_POST),
  fields: {
    post: postRef,
    title: title.optional(),
    text: z.string().optional().describe('New description'),
    status: z.string().optional(),
    statusMessage: z.string().optional().describe('Published with the status'),
    tags: tagNames.optional().describe('All it should have'),
    assignees: z.array(z.string()).max(MAX_ASSIGNEES).optional().describe('All it should have'),
    expected: z.string().optional().describe('2026-Q3 or 2026-09'),
    locked: z.boolean().optional(),
    pinned: z.boolean().optional(),
    fields,
    dryRun,
  },
  async run(caller, args) {
    const id = await findPostId(caller, args.post);
    const edit = {
      title: args.title,
      comment: args.text,
      tagIds: await findTagIds(caller, args.tags),
      expected: args.expected,
      isLocked: args.locked,
      isPinned: args.pinned,
      properties: await findProperties(caller, args.fields),
    };
    const isEdited = Object.values(edit).some((value) => value !== undefined);
    const status = args.status === undefined ? null : await findStatus(caller, args.status);
    const statusId = status?.type === 'CUSTOM' ? status.id : undefined;
    const assigning = args.assignees && (await planAssignment(caller, id, args.assignees));
    return write(caller, args, async (run) => {
      if (isEdited) await run(UPDATE, { id, ...edit });
      if (status) await run(MOVE, { id, type: status.type, statusId, comment: args.statusMessage });
      for (const user of assigning?.added ?? []) await run(ASSIGN, { id, user });
      for (const user of assigning?.removed ?? []) await run(UNASSIGN, { id, user });
      return readPost(run, id);
    });
  },
});

/** Who is to be assigned to a post, and who no longer. */
async function planAssignment(caller: Caller, id: string, names: readonly string[]) {
  const query = 'query($id: String!) { post(id: $id) { assignments(limit: 100) { nodes { user { id email } } } } }';
  type Assigned = { id: string; email: string | null };
  type Found = { post: { assignments: { nodes: { user: Assigned }[] } } | null };
  const { post } = await ask<Found>(caller, query, { id });
  const now = post?.assignments.nodes.map(({ user }) => user) ?? [];
  const wanted: UserRef[] = [];
  for (const name of names) wanted.push((await findUserRef(caller, name)) ?? {});
  const isMeant = (ref: UserRef, user: Assigned) =>
    ref.id === user.id || (ref.email != null && ref.email.toLowerCase() === user.email);
  return {
    added: wanted.filter((ref) => !now.some((user) => isMeant(ref, user))),
    removed: now.filter((user) => !wanted.some((ref) => isMeant(ref, user))).map((user) => ({ id: user.id })),
  };
}

const MERGE = `mutation($sources: [String!]!, $target: String!) {
  mergePosts(sourceIds: $sources, targetId: $target) { ...PostLine }
} ${POST_LINE}`;

export const mergePosts = defineTool({
  name: 'merge_posts',
  description:
    'Merge duplicates into one post, which gets their votes, comments and followers. Without confirm it only answers what would happen, and a code: show it to your user, then call again with that as confirm, within 10 minutes.',
  right: 'post.merge',
  kind: 'change',
  quotes: below('post', QUOTED_POST),
  fields: {
    sources: z.array(postRef).min(1).max(50),
    target: postRef,
    confirm: z.string().optional(),
    dryRun,
  },
  async run(caller, args) {
    const target = await findPostId(caller, args.target);
    const sources: string[] = [];
    for (const ref of args.sources) sources.push(await findPostId(caller, ref));
    return writeConfirmed(caller, 'merge_posts', args, async (run) => {
      const { mergePosts } = await run<{ mergePosts: PostLine }>(MERGE, { sources, target });
      return { post: showPost(mergePosts) };
    });
  },
});

const VOTES = { up: 'upvotePost', down: 'downvotePost', none: 'removeVote' } as const;

export const vote = defineTool({
  name: 'vote',
  description: 'Vote on a post, for yourself or for a user who asked for it. Returns the post.',
  right: 'take.part',
  kind: 'change',
  quotes: below('post', QUOTED_POST),
  fields: {
    post: postRef,
    vote: z.enum(['up', 'down', 'none']),
    voter: z.string().optional().describe('Someone else'),
    dryRun,
  },
  async run(caller, args) {
    const id = await findPostId(caller, args.post);
    const voter = await findUserRef(caller, args.voter);
    const mutation = `mutation($id: String!, $voter: UserRef) { ${VOTES[args.vote]}(postId: $id, voter: $voter) { id } }`;
    const change = async (run: Run) => {
      await run(mutation, { id, voter });
      return readPost(run, id);
    };
    return write(caller, args, change, args.vote === 'none' ? 0 : 1);
  },
});

/** A post as it is after the change; null when the caller may no longer see it. */
async function readPost(run: Run, id: string): Promise<object> {
  const query = `query($id: String!) { post(id: $id) { ...PostLine } } ${POST_LINE}`;
  const { post } = await run<{ post: PostLine | null }>(query, { id });
  return { post: post && showPost(post) };
}
