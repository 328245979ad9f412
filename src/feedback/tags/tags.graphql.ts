import { BoardType } from '../../identity/board/board.graphql.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder, withoutActor } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { viewerScopeOf } from '../visibility/posts.ts';
import { countHiddenPosts } from './counting.ts';
import { findTagsOfPosts } from './tagging.ts';
import { createTag, deleteTag, findTag, listTags, type TagRow, updateTag } from './tags.ts';

const TagObject = builder.objectRef<TagRow>('Tag').implement({
  description: 'A label for posts',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the tag' }),
    name: t.exposeString('name', { description: 'Name, 1 to 50 characters' }),
    color: t.exposeString('color', { nullable: true, description: 'CSS hex color; null if none was set' }),
    isPrivate: t.boolean({ description: 'Whether only the team sees the tag', resolve: (tag) => tag.is_private === 1 }),
  }),
});

const loadHiddenCount = defineLoader<string, void, number>(countHiddenPosts);

builder.objectField(TagObject, 'postCount', (t) =>
  t.int({
    description: 'Number of posts with the tag that the viewer may see',
    async resolve(tag, _, context) {
      if (viewerScopeOf(context.actor) === 'ALL' || tag.post_count === 0) return tag.post_count;
      return tag.post_count - ((await loadHiddenCount(context, tag.id)) ?? 0);
    },
  }),
);

const loadTags = defineLoader<string, void, TagRow[]>(({ db, board, actor }, postIds) =>
  findTagsOfPosts(db.read, board.id, postIds, actor),
);

builder.objectField(PostType, 'tags', (t) =>
  t.field({
    type: [TagObject],
    description: 'Tags of the post, by name',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadTags(context, post.id)) ?? [],
  }),
);

const loadTagsOfBoard = defineLoader<string, void, TagRow[]>(
  async ({ db, actor }, boardIds) =>
    new Map(await Promise.all(boardIds.map(async (id) => [id, await listTags(db.read, id, actor)] as const))),
);

builder.objectField(BoardType, 'tags', (t) =>
  t.field({
    type: [TagObject],
    description: 'Tags of the board, by name',
    resolve: async (board, _, context) => (await loadTagsOfBoard(context, board.id)) ?? [],
  }),
);

builder.queryFields((t) => ({
  tag: t.field({
    type: TagObject,
    nullable: true,
    description: 'The tag with this id; null if there is none that the viewer may see',
    args: { id: t.arg.string({ required: true, description: 'Id of the tag' }) },
    resolve: (_, { id }, context) => findTag(context, id),
  }),
  listTags: t.field({
    type: [TagObject],
    extensions: withoutActor,
    description: 'All tags that the viewer may see, by name',
    resolve: (_, __, { db, board, actor }) => listTags(db.read, board.id, actor),
  }),
}));

builder.mutationFields((t) => ({
  createTag: t.field({
    type: TagObject,
    description: 'For moderators. Creates a tag; names must differ by more than case',
    args: {
      name: t.arg.string({ required: true, description: '1 to 50 characters' }),
      color: t.arg.string({ description: 'CSS hex color, `#rgb` or `#rrggbb`' }),
      isPrivate: t.arg.boolean({ description: 'Whether only the team sees the tag; default: false' }),
    },
    resolve: (_, input, context) => createTag(requireActorContext(context), input),
  }),
  updateTag: t.field({
    type: TagObject,
    description: 'For moderators. Updates the given properties of a tag',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the tag' }),
      name: t.arg.string({ description: 'New name, 1 to 50 characters' }),
      color: t.arg.string({ description: 'New CSS hex color; null removes it' }),
      isPrivate: t.arg.boolean({ description: 'Whether only the team sees the tag' }),
    },
    resolve: (_, { id, ...changes }, context) => updateTag(requireActorContext(context), id, changes),
  }),
  deleteTag: t.field({
    type: TagObject,
    description: 'For moderators. Deletes a tag and removes it from all posts, without an event for each',
    args: { id: t.arg.string({ required: true, description: 'Id of the tag' }) },
    resolve: (_, { id }, context) => deleteTag(requireActorContext(context), id),
  }),
}));
