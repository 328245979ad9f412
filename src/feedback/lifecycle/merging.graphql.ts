import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import { findMergedPosts, type PostRow } from '../posts/posts.ts';
import { mergePosts, unmergePost } from './merging.ts';

const loadMergedPosts = defineLoader<string, void, PostRow[]>(findMergedPosts);

builder.objectFields(PostType, (t) => ({
  mergedInto: t.field({
    type: PostType,
    nullable: true,
    description:
      'The post that this one was merged into; if that one was merged too, the last in the chain. Null if not merged',
    extensions: reads<PostRow>('merged_root_id'),
    resolve: (post, _, context) => (post.merged_root_id === null ? null : loadPost(context, post.merged_root_id)),
  }),
  mergedPosts: t.field({
    type: [PostType],
    description: 'Posts merged into this one, directly or through others',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadMergedPosts(context, post.id)) ?? [],
  }),
}));

builder.mutationFields((t) => ({
  mergePosts: t.field({
    type: PostType,
    description:
      'For moderators. Moves votes, comments and subscribers of the source posts to the target; undo with `unmergePost`',
    args: {
      sourceIds: t.arg.stringList({ required: true, description: 'Ids of 1 to 50 posts to merge' }),
      targetId: t.arg.string({ required: true, description: 'Id of the post that remains' }),
    },
    resolve: (_, { sourceIds, targetId }, context) => mergePosts(requireActorContext(context), sourceIds, targetId),
  }),
  unmergePost: t.field({
    type: PostType,
    description: 'For moderators. Undoes a merge: the post gets its votes, comments, subscribers and status back',
    args: { id: t.arg.string({ required: true, description: 'Id of the merged post' }) },
    resolve: (_, { id }, context) => unmergePost(requireActorContext(context), id),
  }),
}));
