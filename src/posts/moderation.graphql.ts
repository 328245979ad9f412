import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { requireCall } from '../graphql/context.ts';
import { loadUser, UserType } from '../users/users.graphql.ts';
import { moderatePost } from './moderation.ts';
import { PostType } from './posts.graphql.ts';
import type { PostRow } from './posts.ts';
import { isTeam, moderationStatuses } from './visibility.ts';

export const PostModerationEnum = builder.enumType('PostModerationStatus', {
  description: 'PENDING and REJECTED posts are seen by the team and their author only',
  values: moderationStatuses,
});

builder.objectFields(PostType, (t) => ({
  moderationStatus: t.expose('moderation_status', { type: PostModerationEnum }),
  moderatedBy: t.string({
    nullable: true,
    description: 'Id of the user who moderated the post last; for the team',
    extensions: reads<PostRow>('moderated_by'),
    resolve: (post, _, { actor }) => (isTeam(actor) ? post.moderated_by : null),
  }),
  moderator: t.field({
    type: UserType,
    nullable: true,
    description: 'Who moderated the post last; for the team',
    extensions: reads<PostRow>('moderated_by'),
    resolve: (post, _, context, info) => (isTeam(context.actor) ? loadUser(context, post.moderated_by, info) : null),
  }),
}));

builder.mutationField('changePostModerationStatus', (t) =>
  t.field({
    type: PostType,
    description: 'For moderators. What this hides from the board or brings back to it is told as deleted or created.',
    args: {
      id: t.arg.string({ required: true }),
      moderationStatus: t.arg({ type: PostModerationEnum, required: true }),
    },
    resolve: (_, { id, moderationStatus }, context) => moderatePost(requireCall(context), id, moderationStatus),
  }),
);
