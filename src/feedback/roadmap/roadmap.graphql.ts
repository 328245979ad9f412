import { builder } from '../../platform/graphql/builder.ts';
import { columnsOf } from '../../platform/graphql/columns.ts';
import { pageArgs, pageOf } from '../../platform/graphql/page.ts';
import { loadPostsOfStatus, StatusPostsPayload } from '../finding/list.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { StatusObject } from '../statuses/statuses.graphql.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { listRoadmap } from './roadmap.ts';

const RoadmapColumn = builder.objectRef<StatusRow>('RoadmapColumn').implement({
  description: 'One column of the roadmap: a status and its posts',
  fields: (t) => ({
    status: t.field({ type: StatusObject, description: 'The status', resolve: (status) => status }),
    posts: t.field({
      type: StatusPostsPayload,
      description: 'Posts in the status, most votes first',
      args: pageArgs(t.arg),
      resolve(status, args, context, info) {
        const query = { order: 'TOP' as const, ...pageOf(args), columns: columnsOf<PostRow>(info) };
        return loadPostsOfStatus(context, status.id, query);
      },
    }),
  }),
});

builder.queryField('roadmap', (t) =>
  t.field({
    type: [RoadmapColumn],
    description:
      'The statuses with `isOnRoadmap` in their order, each with its posts; empty if the roadmap is turned off',
    resolve: async (_, __, context) => (await listRoadmap(context)) ?? [],
  }),
);
