import { z } from 'zod';
import type { Run } from './caller.ts';
import { findEntryId, findPostId, findUserRef } from './names.ts';
import { defineTool, dryRun, postRef } from './tool.ts';
import { write } from './writing.ts';

const COMMENT = `mutation($postId: String!, $text: String!, $type: CommentType, $parentId: String, $author: UserRef) {
  createComment(postId: $postId, text: $text, type: $type, parentId: $parentId, author: $author) {
    id type dateCreated moderationStatus
  }
}`;

export const comment = defineTool({
  name: 'comment',
  description:
    "Comment on a post. INTERNAL: only for the team. OFFICIAL: the team's answer, mailed to voters. Returns its id.",
  right: 'take.part',
  kind: 'add',
  quotes: [],
  fields: {
    post: postRef,
    text: z.string().describe('Markdown'),
    type: z.enum(['BASIC', 'INTERNAL', 'OFFICIAL']).optional(),
    replyTo: z.string().optional().describe('Id of a comment'),
    author: z.string().optional().describe('Someone else'),
    dryRun,
  },
  async run(caller, args) {
    const variables = {
      postId: await findPostId(caller, args.post),
      text: args.text,
      type: args.type,
      parentId: args.replyTo,
      author: await findUserRef(caller, args.author),
    };
    return write(caller, args, async (run) => {
      const { createComment } = await run<{ createComment: object }>(COMMENT, variables);
      return { comment: createComment };
    });
  },
});

const CREATE_ENTRY = `mutation($title: String!, $text: String, $labels: [ChangelogLabel!], $postIds: [String!]) {
  createChangelogEntry(title: $title, text: $text, labels: $labels, postIds: $postIds) { id }
}`;
const UPDATE_ENTRY = `mutation($id: String!, $title: String, $text: String, $labels: [ChangelogLabel!], $postIds: [String!]) {
  updateChangelogEntry(id: $id, title: $title, text: $text, labels: $labels, postIds: $postIds) { id }
}`;
const PUBLISH = 'mutation($id: String!, $at: DateTime) { publishChangelogEntry(id: $id, at: $at) { id } }';
const READ_ENTRY =
  'query($id: String) { changelogEntry(id: $id) { number title url state labels datePublished dateScheduled } }';

export const writeChangelog = defineTool({
  name: 'write_changelog',
  description:
    'Write or change a changelog entry: a draft until publish. Publishing mails the followers of its posts. Returns the entry.',
  right: 'changelog.edit',
  kind: 'change',
  quotes: ['entry.title', 'entry.url'],
  fields: {
    entry: postRef.optional().describe('Number or id of the one to change'),
    title: z.string().optional().describe('Needed for a new one'),
    text: z.string().optional().describe('Markdown'),
    labels: z.array(z.enum(['NEW', 'IMPROVED', 'FIXED'])).optional(),
    posts: z.array(postRef).max(50).optional().describe('What it completes'),
    publish: z.string().optional().describe('"now" or a time in ISO 8601'),
    dryRun,
  },
  async run(caller, args) {
    const known = args.entry === undefined ? null : await findEntryId(caller, args.entry);
    const postIds: string[] = [];
    for (const ref of args.posts ?? []) postIds.push(await findPostId(caller, ref));
    const { title, text, labels } = args;
    const entry = { title, text, labels, ...(args.posts && { postIds }) };
    return write(caller, args, async (run) => {
      const id = known === null ? await createEntry(run, entry) : known;
      if (known !== null && Object.values(entry).some((part) => part !== undefined)) {
        await run(UPDATE_ENTRY, { id, ...entry });
      }
      if (args.publish) await run(PUBLISH, { id, at: args.publish === 'now' ? undefined : args.publish });
      const { changelogEntry } = await run<{ changelogEntry: object }>(READ_ENTRY, { id });
      return { entry: changelogEntry };
    });
  },
});

async function createEntry(run: Run, entry: object): Promise<string> {
  type Created = { createChangelogEntry: { id: string } };
  return (await run<Created>(CREATE_ENTRY, { ...entry })).createChangelogEntry.id;
}
