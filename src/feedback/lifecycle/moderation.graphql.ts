import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { moderationValues } from '../visibility/moderation.graphql.ts';
import { isTeam } from '../visibility/posts.ts';
import { moderatePost } from './moderation.ts';

export const PostModerationEnum = builder.enumType('PostModerationStatus', {
  description: 'Whether moderators have released a post',
  values: moderationValues,
});

builder.objectFields(PostType, (t) => ({
  moderationStatus: t.expose('moderation_status', {
    type: PostModerationEnum,
    description: 'Whether moderators have released the post',
  }),
  moderatedBy: t.string({
    nullable: true,
    description: 'Id of the user who last moderated the post; visible to the team',
    deprecationReason: 'Use `moderator { id }`',
    extensions: reads<PostRow>('moderated_by'),
    resolve: (post, _, { actor }) => (isTeam(actor) ? post.moderated_by : null),
  }),
  moderator: t.field({
    type: UserType,
    nullable: true,
    description: 'User who last moderated the post; visible to the team',
    extensions: reads<PostRow>('moderated_by'),
    resolve: (post, _, context, info) => (isTeam(context.actor) ? loadUser(context, post.moderated_by, info) : null),
  }),
}));

builder.mutationField('changePostModerationStatus', (t) =>
  t.field({
    type: PostType,
    description: 'For moderators. Hides a post or releases it; hiding emits `post.deleted`, releasing `post.created`',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the post' }),
      moderationStatus: t.arg({ type: PostModerationEnum, required: true, description: 'New moderation status' }),
    },
    resolve: (_, { id, moderationStatus }, context) => moderatePost(requireActorContext(context), id, moderationStatus),
  }),
);
