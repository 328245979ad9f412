import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineListLoader } from '../../platform/graphql/loader.ts';
import { pageArgs, pageOf, pageType } from '../../platform/graphql/page.ts';
import { emptyPage } from '../../platform/lib/page.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { isTeam } from '../visibility/posts.ts';
import { type IssueLinkRow, issueStates, listIssues } from './issues.ts';

const IssueState = builder.enumType('IssueState', {
  description: 'What an issue is in its tracker',
  values: Object.fromEntries(issueStates.map((state) => [state, { description: words(state) }])) as Record<
    (typeof issueStates)[number],
    { description: string }
  >,
});

function words(state: (typeof issueStates)[number]): string {
  if (state === 'OPEN') return 'Not closed yet';
  return state === 'COMPLETED' ? 'Closed as completed, or a merged pull request' : 'Closed without having been done';
}

const PostIssue = builder.objectRef<IssueLinkRow>('PostIssue').implement({
  description: "An issue of the team's tracker that a post is linked to",
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the link' }),
    url: t.exposeString('url', { nullable: true, description: 'URL of the issue; null while it is being created' }),
    title: t.exposeString('title', { nullable: true, description: 'Title of the issue; null until it was read' }),
    state: t.expose('state', {
      type: IssueState,
      nullable: true,
      description: 'State of the issue; null until it was read',
    }),
    release: t.exposeString('release', {
      nullable: true,
      description: 'The release that was published with it, if any',
    }),
    addedBy: t.field({
      type: UserType,
      nullable: true,
      description: 'User who linked it; null once that user has been erased',
      resolve: (row, _, context, info) => loadUser(context, row.added_by, info),
    }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When it was linked' }),
  }),
});

const PostIssuesPayload = pageType('PostIssuesPayload', PostIssue, 'issues');

const loadIssues = defineListLoader(listIssues);

builder.objectField(PostType, 'issues', (t) =>
  t.field({
    type: PostIssuesPayload,
    description:
      "Issues of the team's trackers that the post is linked to; visible to the team, empty for everyone else",
    args: pageArgs(t.arg),
    extensions: reads<PostRow>('id'),
    resolve(post, args, context) {
      const page = pageOf(args);
      return isTeam(context.actor) ? loadIssues(context, post.id, page) : emptyPage;
    },
  }),
);
