import { removeLink } from '../../feedback/issues/issues.ts';
import { PostType } from '../../feedback/posts/posts.graphql.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { linkIssue } from './linking.ts';

builder.mutationFields((t) => ({
  linkIssue: t.field({
    type: PostType,
    description: 'For moderators. Links a post to an issue of a connected project; see docs/trackers.md',
    args: {
      postId: t.arg.string({ required: true, description: 'Id of the post' }),
      issue: t.arg.string({
        description:
          'URL of the issue or pull request, its identifier at Linear or Jira, or its number if one project is connected; default: a new issue there, which is created in the background',
      }),
    },
    resolve: (_, { postId, issue }, context) =>
      linkIssue(requireActorContext(context), postId, issue == null ? {} : { named: issue }),
  }),
  unlinkIssue: t.field({
    type: PostType,
    description: 'For moderators. Ends the link of a post to an issue; the issue stays as it is',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the link, from `issues` of the post' }),
    },
    resolve: (_, { id }, context) => removeLink(requireActorContext(context), id),
  }),
}));
