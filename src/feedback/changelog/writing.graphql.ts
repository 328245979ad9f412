import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { ChangelogEntryObject, ChangelogLabelEnum, ChangelogReactionEnum } from './changelog.graphql.ts';
import { publishEntry, unpublishEntry } from './publishing.ts';
import { setReaction } from './reactions.ts';
import { createEntry, deleteEntry, updateEntry } from './writing.ts';

builder.mutationFields((t) => ({
  createChangelogEntry: t.field({
    type: ChangelogEntryObject,
    description: 'For moderators. Adds a draft to the changelog',
    args: {
      title: t.arg.string({ required: true, description: '1 to 200 characters' }),
      text: t.arg.string({ description: 'Markdown of up to 20,000 characters' }),
      labels: t.arg({ type: [ChangelogLabelEnum], description: 'What the entry is about' }),
      postIds: t.arg.stringList({ description: 'At most 50 posts that the entry completes; no merged ones' }),
      files: t.arg({
        type: ['String'],
        required: { list: false, items: false },
        description: 'Ids of at most 10 uploaded files of the acting user',
      }),
    },
    resolve: (_, input, context) => createEntry(requireActorContext(context), input),
  }),
  updateChangelogEntry: t.field({
    type: ChangelogEntryObject,
    description: 'For moderators. Updates the given parts of an entry, published or not',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the entry' }),
      title: t.arg.string({ description: 'New title, 1 to 200 characters' }),
      text: t.arg.string({ description: 'New text: Markdown of up to 20,000 characters' }),
      labels: t.arg({ type: [ChangelogLabelEnum], description: 'All labels that the entry should have' }),
      postIds: t.arg.stringList({
        description: 'All posts that the entry should link, at most 50; replaces the current ones',
      }),
      files: t.arg({
        type: ['String'],
        required: { list: false, items: false },
        description: 'Ids of all files that the entry should have, at most 10; the others are removed',
      }),
    },
    resolve: (_, { id, ...changes }, context) => updateEntry(requireActorContext(context), id, changes),
  }),
  publishChangelogEntry: t.field({
    type: ChangelogEntryObject,
    description:
      'For moderators. Publishes an entry now or at a given time; emits `changelog.published`. An already published entry is not changed',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the entry' }),
      at: t.arg({ type: 'DateTime', description: 'When to publish it, in the future. Default: now' }),
    },
    resolve: (_, { id, at }, context) => publishEntry(requireActorContext(context), id, at ?? null),
  }),
  unpublishChangelogEntry: t.field({
    type: ChangelogEntryObject,
    description:
      'For moderators. Turns a published or scheduled entry back into a draft; a published one emits `changelog.unpublished`',
    args: { id: t.arg.string({ required: true, description: 'Id of the entry' }) },
    resolve: (_, { id }, context) => unpublishEntry(requireActorContext(context), id),
  }),
  deleteChangelogEntry: t.field({
    type: ChangelogEntryObject,
    description:
      'For moderators. Deletes an entry; a published one emits `changelog.unpublished`. `undo` brings it back unless it had files or reactions',
    args: { id: t.arg.string({ required: true, description: 'Id of the entry' }) },
    resolve: (_, { id }, context) => deleteEntry(requireActorContext(context), id),
  }),
}));

builder.mutationFields((t) => ({
  addChangelogReaction: t.field({
    type: ChangelogEntryObject,
    description: 'Reacts to an entry. Each user has each reaction once; repeating the call changes nothing',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the entry' }),
      reaction: t.arg({ type: ChangelogReactionEnum, required: true, description: 'The reaction' }),
    },
    resolve: (_, { id, reaction }, context) => setReaction(requireActorContext(context), id, reaction, true),
  }),
  removeChangelogReaction: t.field({
    type: ChangelogEntryObject,
    description: 'Removes a reaction',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the entry' }),
      reaction: t.arg({ type: ChangelogReactionEnum, required: true, description: 'The reaction' }),
    },
    resolve: (_, { id, reaction }, context) => setReaction(requireActorContext(context), id, reaction, false),
  }),
}));
