import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { UserRefInput, UsersPayload } from '../../identity/users/users.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineListLoader, defineLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageOf } from '../../platform/graphql/page.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { countSubscribers, findSubscriptions, listSubscribers, setSubscription } from './subscriptions.ts';

const loadOwnSubscription = defineLoader<string, void, true>(async ({ db, board, actor }, postIds) => {
  const rows = actor ? await findSubscriptions(db.read, { boardId: board.id, userId: actor.id, postIds }) : [];
  return new Map(rows.map((row) => [row.post_id, true]));
});

const loadSubscribers = defineListLoader(listSubscribers);
const loadSubscriberCount = defineLoader<string, void, number>(countSubscribers);

builder.objectFields(PostType, (t) => ({
  isSubscribed: t.boolean({
    description: 'Whether the acting user follows the post',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadOwnSubscription(context, post.id)) ?? false,
  }),
  subscribers: t.field({
    type: UsersPayload,
    description: 'Users who follow the post; visible to the team, other users see only themselves',
    args: pageArgs(t.arg),
    extensions: reads<PostRow>('id'),
    async resolve(post, args, context) {
      const page = await loadSubscribers(context, post.id, pageOf(args));
      return { page, count: async () => (await loadSubscriberCount(context, post.id)) ?? 0 };
    },
  }),
}));

builder.mutationFields((t) => {
  const subscriptionField = (isSubscribed: boolean, description: string) =>
    t.field({
      type: PostType,
      description,
      args: {
        postId: t.arg.string({ required: true, description: 'Id of the post' }),
        user: t.arg({
          type: UserRefInput,
          description:
            'User who follows or stops following; for admins and users with isApiUser. Default: the acting user',
        }),
      },
      resolve: (_, { postId, user }, context) =>
        setSubscription(requireActorContext(context), postId, isSubscribed, user),
    });
  return {
    subscribeToPost: subscriptionField(
      true,
      'Follows a post. Authors, voters and commenters follow automatically, until they stop',
    ),
    unsubscribeFromPost: subscriptionField(false, 'Stops following a post; only `subscribeToPost` starts it again'),
  };
});
