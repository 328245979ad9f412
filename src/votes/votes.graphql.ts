import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { UserRefInput } from '../users/users.graphql.ts';
import { findVotesOfUser, type VoteType, vote, voteTypes } from './votes.ts';

export const VoteTypeEnum = builder.enumType('VoteType', { values: voteTypes });

const loadOwnVote = defineLoader<string, void, VoteType>(async ({ db, board, actor }, postIds) => {
  const votes = actor ? await findVotesOfUser(db.read, board.id, actor.id, postIds) : [];
  return new Map(votes.map((row) => [row.post_id, row.type]));
});

builder.objectFields(PostType, (t) => ({
  upvoteCount: t.int({ extensions: reads<PostRow>('upvotes'), resolve: (post) => post.upvotes }),
  downvoteCount: t.int({ extensions: reads<PostRow>('downvotes'), resolve: (post) => post.downvotes }),
  viewerVote: t.field({
    type: VoteTypeEnum,
    nullable: true,
    description: 'How the acting user voted',
    extensions: reads<PostRow>('id'),
    resolve: (post, _, context) => loadOwnVote(context, post.id),
  }),
}));

builder.mutationFields((t) => {
  const voteField = (type: VoteType | null, description: string) =>
    t.field({
      type: PostType,
      description,
      args: {
        postId: t.arg.string({ required: true }),
        voter: t.arg({
          type: UserRefInput,
          description: 'Votes for somebody else: for admins and users with isApiUser',
        }),
      },
      resolve: (_, { postId, voter }, context) => vote(requireCall(context), postId, type, voter),
    });
  return {
    upvotePost: voteField('UP', 'Votes for a post, once for each person however often it is sent.'),
    downvotePost: voteField('DOWN', 'Votes against a post; a vote for it is changed.'),
    removeVote: voteField(null, 'Takes a vote back.'),
  };
});
