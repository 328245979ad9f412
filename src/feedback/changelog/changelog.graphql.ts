import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { badRequest } from '../../platform/errors.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { defineListLoader, defineLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageOf, pageType } from '../../platform/graphql/page.ts';
import { FileType } from '../files/files.graphql.ts';
import { findFilesOfEntries, type ShownFile } from '../files/files.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { type EntryRow, entryUrl, findEntry, findEntryByNumber, labelsOf, stateOf } from './entries.ts';
import { listLinkedPosts } from './linking.ts';
import { listEntries, listEntriesOfPosts } from './list.ts';
import { type ChangelogReaction, findReactionsOfUser, type ReactionCount, reactionsOf } from './reactions.ts';

export const ChangelogLabelEnum = builder.enumType('ChangelogLabel', {
  description: 'What a changelog entry is about',
  values: describeValues({
    NEW: 'Something new',
    IMPROVED: 'Something that is better than before',
    FIXED: 'Something that did not work before',
  }),
});

const ChangelogStateEnum = builder.enumType('ChangelogState', {
  description: 'Whether a changelog entry is published',
  values: describeValues({
    DRAFT: 'Visible to the team only',
    SCHEDULED: 'Visible to the team only; published at its date',
    PUBLISHED: 'Visible to everyone who may see the board',
  }),
});

export const ChangelogReactionEnum = builder.enumType('ChangelogReaction', {
  description: 'A way to react to a changelog entry',
  values: describeValues({ THUMBS_UP: '👍', HEART: '❤️', PARTY: '🎉', EYES: '👀' }),
});

const ChangelogReactionCount = builder.objectRef<ReactionCount>('ChangelogReactionCount').implement({
  description: 'Number of users with one reaction',
  fields: (t) => ({
    reaction: t.expose('reaction', { type: ChangelogReactionEnum, description: 'The reaction' }),
    count: t.exposeInt('count', { description: 'Number of users' }),
  }),
});

const ChangelogPostsPayload = pageType('ChangelogPostsPayload', PostType, 'posts');

const loadPosts = defineListLoader(listLinkedPosts);

const loadFiles = defineLoader<string, void, ShownFile[]>(async ({ db, board }, ids) =>
  Map.groupBy(await findFilesOfEntries(db.read, { boardId: board.id, ids }), (file) => file.entry_id as string),
);

const loadOwnReactions = defineLoader<string, void, ChangelogReaction[]>(async ({ db, board, actor }, entryIds) => {
  const own = actor ? await findReactionsOfUser(db.read, { boardId: board.id, userId: actor.id, entryIds }) : [];
  const rows = Map.groupBy(own, (row) => row.entry_id);
  return new Map([...rows].map(([id, reactions]) => [id, reactions.map(({ reaction }) => reaction)]));
});

export const ChangelogEntryObject = builder.objectRef<EntryRow>('ChangelogEntry').implement({
  description: 'A changelog entry: what the team has done, and the posts that it completes',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the entry' }),
    number: t.exposeInt('number', {
      description: 'Number of the entry on its board, counting from 1; part of its URL',
    }),
    title: t.exposeString('title', { description: 'Title, 1 to 200 characters' }),
    text: t.exposeString('text', { description: 'Markdown; empty if none', extensions: LONG_TEXT }),
    labels: t.field({
      type: [ChangelogLabelEnum],
      description: 'What the entry is about; possibly empty',
      resolve: labelsOf,
    }),
    state: t.field({ type: ChangelogStateEnum, description: 'Whether the entry is published', resolve: stateOf }),
    dateScheduled: t.expose('date_scheduled', {
      type: 'DateTime',
      nullable: true,
      description: 'When the entry will be published; null unless it is SCHEDULED',
    }),
    datePublished: t.expose('date_published', {
      type: 'DateTime',
      nullable: true,
      description: 'When the entry was published; null unless it is PUBLISHED',
    }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When the entry was created' }),
    dateUpdated: t.expose('date_updated', { type: 'DateTime', description: 'When the entry was last edited' }),
    url: t.string({
      description: 'URL of the page of the entry',
      resolve: (entry, _, { board, baseUrl }) => entryUrl(entry, board, baseUrl),
    }),
    author: t.field({
      type: UserType,
      nullable: true,
      description: 'Who wrote the entry; null once that user has been erased',
      resolve: (entry, _, context, info) => loadUser(context, entry.author_id, info),
    }),
    posts: t.field({
      type: ChangelogPostsPayload,
      description: 'Posts that the entry completes and that the viewer may see, most votes first',
      args: pageArgs(t.arg),
      resolve: (entry, args, context) => loadPosts(context, entry.id, pageOf(args)),
    }),
    files: t.field({
      type: [FileType],
      description: 'Files of the entry, in the order of upload',
      resolve: async (entry, _, context) => (await loadFiles(context, entry.id)) ?? [],
    }),
    reactions: t.field({
      type: [ChangelogReactionCount],
      description: 'Every reaction, with the number of users',
      resolve: reactionsOf,
    }),
    viewerReactions: t.field({
      type: [ChangelogReactionEnum],
      description: 'How the acting user reacted; empty without an acting user',
      resolve: async (entry, _, context) => (await loadOwnReactions(context, entry.id)) ?? [],
    }),
  }),
});

const ChangelogPayload = pageType('ChangelogPayload', ChangelogEntryObject, 'entries');

builder.queryFields((t) => ({
  changelog: t.field({
    type: ChangelogPayload,
    description: 'Entries of the changelog, newest first',
    args: {
      state: t.arg({
        type: ChangelogStateEnum,
        description: 'Default: PUBLISHED. The others are visible to the team, and empty for everyone else',
      }),
      ...pageArgs(t.arg),
    },
    resolve: (_, { state, ...args }, context) => listEntries(context, state ?? 'PUBLISHED', pageOf(args)),
  }),
  changelogEntry: t.field({
    type: ChangelogEntryObject,
    nullable: true,
    description:
      'The changelog entry with this id or number; null if there is none that the viewer may see. Give one of the two',
    args: {
      id: t.arg.string({ description: 'Id of the entry' }),
      number: t.arg.int({ description: 'Number of the entry, as in its URL /b/<pid>/changelog/<number>/…' }),
    },
    resolve(_, { id, number }, context) {
      if ((id == null) === (number == null)) throw badRequest('Give either id or number', 'id');
      return number == null ? findEntry(context, id ?? '') : findEntryByNumber(context, number);
    },
  }),
}));

const loadEntriesOfPost = defineListLoader(listEntriesOfPosts);

builder.objectField(PostType, 'changelogEntries', (t) =>
  t.field({
    type: ChangelogPayload,
    description: 'Published changelog entries that link the post, newest first',
    args: pageArgs(t.arg),
    extensions: reads<PostRow>('id'),
    resolve: (post, args, context) => loadEntriesOfPost(context, post.id, pageOf(args)),
  }),
);
