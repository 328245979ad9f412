import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { loadUser, UserRefInput, UserType } from '../../identity/users/users.graphql.ts';
import { notFound } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineListLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageOf, pageType } from '../../platform/graphql/page.ts';
import { emptyPage } from '../../platform/lib/page.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { isTeam } from '../visibility/posts.ts';
import { type AssignmentRow, listAssignments, setAssignment } from './assignments.ts';

const PostAssignment = builder.objectRef<AssignmentRow>('PostAssignment').implement({
  description: 'A post assigned to a member of the team',
  fields: (t) => ({
    user: t.field({
      type: UserType,
      description: 'Member of the team who is responsible for the post',
      async resolve(row, _, context, info) {
        const user = await loadUser(context, row.user_id, info);
        if (!user) throw notFound('User');
        return user;
      },
    }),
    assignedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'User who assigned it; null once that user has been erased',
      resolve: (row, _, context, info) => loadUser(context, row.assigned_by, info),
    }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When it was assigned' }),
  }),
});

const PostAssignmentsPayload = pageType('PostAssignmentsPayload', PostAssignment, 'assignments');

const loadAssignments = defineListLoader(listAssignments);

builder.objectField(PostType, 'assignments', (t) =>
  t.field({
    type: PostAssignmentsPayload,
    description: 'Members of the team who are responsible for the post; visible to the team, empty for everyone else',
    args: pageArgs(t.arg),
    extensions: reads<PostRow>('id'),
    resolve(post, args, context) {
      const page = pageOf(args);
      return isTeam(context.actor) ? loadAssignments(context, post.id, page) : emptyPage;
    },
  }),
);

builder.mutationFields((t) => {
  const assignmentField = (isAssigned: boolean, description: string) =>
    t.field({
      type: PostType,
      description,
      args: {
        postId: t.arg.string({ required: true, description: 'Id of the post' }),
        user: t.arg({ type: UserRefInput, required: true, description: 'Member of the team' }),
      },
      resolve: (_, { postId, user }, context) => setAssignment(requireActorContext(context), postId, user, isAssigned),
    });
  return {
    assignPost: assignmentField(true, 'For moderators. Assigns a post to a member of the team'),
    unassignPost: assignmentField(false, 'For moderators. Removes an assignment'),
  };
});
