import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { type ArgBuilder, builder, describeValues } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { CommentObject } from './comments.graphql.ts';
import type { CommentRow } from './comments.ts';
import { findReactions, type ReactionCount, setCommentReaction } from './reactions.ts';

const CommentReactionEnum = builder.enumType('CommentReaction', {
  description: 'A way to react to a comment',
  values: describeValues({ THUMBS_UP: '👍', HEART: '❤️', LAUGH: '😂', PARTY: '🎉', EYES: '👀' }),
});

const CommentReactionCount = builder.objectRef<ReactionCount>('CommentReactionCount').implement({
  description: 'How many users react to a comment in one way',
  fields: (t) => ({
    reaction: t.expose('reaction', { type: CommentReactionEnum, description: 'The reaction' }),
    count: t.exposeInt('count', { description: 'Number of users' }),
  }),
});

const loadReactions = defineLoader<string, void, ReactionCount[]>(findReactions);

builder.objectFields(CommentObject, (t) => ({
  reactions: t.field({
    type: [CommentReactionCount],
    description: 'How users reacted; reactions that no one has used are left out',
    extensions: reads<CommentRow>('id'),
    resolve: async (comment, _, context) => (await loadReactions(context, comment.id)) ?? [],
  }),
  viewerReactions: t.field({
    type: [CommentReactionEnum],
    description: 'How the acting user reacted; empty without an acting user',
    extensions: reads<CommentRow>('id'),
    async resolve(comment, _, context) {
      const reactions = (await loadReactions(context, comment.id)) ?? [];
      return reactions.filter(({ isOwn }) => isOwn).map(({ reaction }) => reaction);
    },
  }),
}));

builder.mutationFields((t) => ({
  addCommentReaction: t.field({
    type: CommentObject,
    description: 'Reacts to a comment that a user wrote. Each user has each reaction once; repeating changes nothing',
    args: reactionArgs(t.arg),
    resolve: (_, { id, reaction }, context) => setCommentReaction(requireActorContext(context), id, reaction, true),
  }),
  removeCommentReaction: t.field({
    type: CommentObject,
    description: 'Takes a reaction back',
    args: reactionArgs(t.arg),
    resolve: (_, { id, reaction }, context) => setCommentReaction(requireActorContext(context), id, reaction, false),
  }),
}));

function reactionArgs(arg: ArgBuilder) {
  return {
    id: arg.string({ required: true, description: 'Id of the comment' }),
    reaction: arg({ type: CommentReactionEnum, required: true, description: 'The reaction' }),
  };
}
