import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { UserRefInput } from '../../identity/users/users.graphql.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { countUnattributed } from './unattributed.ts';
import { findVotesOfUser, type VoteType, vote } from './votes.ts';

export const VoteTypeEnum = builder.enumType('VoteType', {
  description: 'Direction of a vote',
  values: describeValues({ UP: 'For the post', DOWN: 'Against the post' }),
});

const loadOwnVote = defineLoader<string, void, VoteType>(async ({ db, board, actor }, postIds) => {
  const votes = actor ? await findVotesOfUser(db.read, { boardId: board.id, userId: actor.id, postIds }) : [];
  return new Map(votes.map((row) => [row.post_id, row.type]));
});

const loadUnattributed = defineLoader<string, void, number>(countUnattributed);

builder.objectFields(PostType, (t) => ({
  upvoteCount: t.int({
    description: 'Number of votes for the post',
    extensions: reads<PostRow>('upvotes'),
    resolve: (post) => post.upvotes,
  }),
  unattributedUpvoteCount: t.int({
    description: 'How many of `upvoteCount` came with an import as a number, without the users who voted',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadUnattributed(context, post.id)) ?? 0,
  }),
  downvoteCount: t.int({
    description: 'Number of votes against the post',
    extensions: reads<PostRow>('downvotes'),
    resolve: (post) => post.downvotes,
  }),
  viewerVote: t.field({
    type: VoteTypeEnum,
    nullable: true,
    description: 'How the acting user voted; null if they did not, or without an acting user',
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
        postId: t.arg.string({ required: true, description: 'Id of the post' }),
        voter: t.arg({
          type: UserRefInput,
          description: 'User whose vote it is; for admins and users with isApiUser. Default: the acting user',
        }),
      },
      resolve: (_, { postId, voter }, context) => vote(requireActorContext(context), postId, type, voter),
    });
  return {
    upvotePost: voteField('UP', 'Votes for a post. Each user has one vote; repeating the call changes nothing'),
    downvotePost: voteField('DOWN', 'Votes against a post; replaces a vote for it'),
    removeVote: voteField(null, 'Removes a vote'),
  };
});
