import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { mergePosts, unmergePost } from './merging.ts';
import { loadPost, PostType } from './posts.graphql.ts';
import { findMergedPosts, type PostRow } from './posts.ts';

const loadMergedPosts = defineLoader<string, void, PostRow[]>(async ({ db, board, actor }, ids) => {
  const posts = await findMergedPosts(db.read, board.id, ids, actor);
  return Map.groupBy(posts, (post) => post.merged_root_id ?? '');
});

builder.objectFields(PostType, (t) => ({
  mergedInto: t.field({
    type: PostType,
    nullable: true,
    description: 'The post that this one was merged into; where that is merged itself, the one at the end',
    extensions: reads<PostRow>('merged_root_id'),
    resolve: (post, _, context) => (post.merged_root_id === null ? null : loadPost(context, post.merged_root_id)),
  }),
  mergedPosts: t.field({
    type: [PostType],
    description: 'The posts that were merged into this one, also by way of others',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadMergedPosts(context, post.id)) ?? [],
  }),
}));

builder.mutationFields((t) => ({
  mergePosts: t.field({
    type: PostType,
    description: 'Votes, comments and subscribers of the sources move to the target; undone by unmergePost',
    args: {
      sourceIds: t.arg.stringList({ required: true, description: '1 to 50 posts' }),
      targetId: t.arg.string({ required: true }),
    },
    resolve: (_, { sourceIds, targetId }, context) => mergePosts(requireCall(context), sourceIds, targetId),
  }),
  unmergePost: t.field({
    type: PostType,
    description: 'Gives a merged post back what it had, and its status',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => unmergePost(requireCall(context), id),
  }),
}));
