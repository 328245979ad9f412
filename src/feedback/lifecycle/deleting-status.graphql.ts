import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { POST_ID, StatusPayload } from '../statuses/managing.graphql.ts';
import { deleteStatus } from './deleting-status.ts';

builder.mutationField('deleteStatus', (t) =>
  t.field({
    type: StatusPayload,
    description:
      'For admins. Deletes a CUSTOM status; its posts become UNASSIGNED, each with a `post.status.updated` event',
    args: { id: t.arg.string({ required: true, description: 'Id of the status' }), postId: t.arg.string(POST_ID) },
    resolve: (_, { id }, context) => deleteStatus(requireActorContext(context), id),
  }),
);
