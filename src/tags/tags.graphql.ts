import { BoardType } from '../board/board.graphql.ts';
import { builder, withoutActor } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { sightOf } from '../posts/visibility.ts';
import { countHiddenPosts } from './counting.ts';
import { findTagsOfPosts } from './tagging.ts';
import { createTag, deleteTag, findTag, listTags, type TagRow, updateTag } from './tags.ts';

const TagObject = builder.objectRef<TagRow>('Tag').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color', { nullable: true, description: 'CSS hex colour' }),
    isPrivate: t.boolean({
      description: 'Only moderators, admins and owners see a private tag, here and on posts',
      resolve: (tag) => tag.is_private === 1,
    }),
  }),
});

const loadHiddenCount = defineLoader<string, void, number>(({ db, board, actor }) =>
  countHiddenPosts(db.read, board.id, actor),
);

builder.objectField(TagObject, 'postCount', (t) =>
  t.int({
    description: 'Posts with the tag that the acting user may see',
    async resolve(tag, _, context) {
      if (sightOf(context.actor) === 'ALL' || tag.post_count === 0) return tag.post_count;
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
    description: 'By name',
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
    description: 'By name',
    resolve: async (board, _, context) => (await loadTagsOfBoard(context, board.id)) ?? [],
  }),
);

builder.queryFields((t) => ({
  tag: t.field({
    type: TagObject,
    nullable: true,
    description: 'Null when no such tag is visible to the caller',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { db, board, actor }) => findTag(db.read, board.id, id, actor),
  }),
  listTags: t.field({
    type: [TagObject],
    extensions: withoutActor,
    description: 'By name',
    resolve: (_, __, { db, board, actor }) => listTags(db.read, board.id, actor),
  }),
}));

builder.mutationFields((t) => ({
  createTag: t.field({
    type: TagObject,
    description: 'For moderators. Names differ by more than upper and lower case.',
    args: {
      name: t.arg.string({ required: true, description: '1 to 50 characters' }),
      color: t.arg.string({ description: 'CSS hex colour, `#rgb` or `#rrggbb`' }),
      isPrivate: t.arg.boolean({ description: 'Hides the tag from members; default: false' }),
    },
    resolve: (_, input, context) => createTag(requireCall(context), input),
  }),
  updateTag: t.field({
    type: TagObject,
    description: 'For moderators. Changes what is given; a color of null takes the colour away.',
    args: {
      id: t.arg.string({ required: true }),
      name: t.arg.string(),
      color: t.arg.string(),
      isPrivate: t.arg.boolean(),
    },
    resolve: (_, { id, ...changes }, context) => updateTag(requireCall(context), id, changes),
  }),
  deleteTag: t.field({
    type: TagObject,
    description: 'For moderators. Takes the tag off all its posts, without an event for each.',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => deleteTag(requireCall(context), id),
  }),
}));
