import { requireSegment } from '../../identity/customers/segments.ts';
import { may } from '../../identity/users/authority.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { type Demand, NO_DEMAND, readDemand } from './demand.ts';

const DemandObject = builder.objectRef<Demand>('Demand').implement({
  description: 'Who is behind a post; for the team',
  fields: (t) => ({
    people: t.exposeInt('people', { description: 'Users who upvoted it' }),
    companies: t.exposeInt('companies', { description: 'Companies that they belong to' }),
    monthlyRevenue: t.exposeFloat('monthlyRevenue', { description: 'What these companies pay a month in all' }),
  }),
});

const loadDemand = defineLoader<string, { segment: string | null }, Demand>(async (context, postIds, { segment }) => {
  const acting = requireActorContext(context);
  const filter = segment === null ? null : (await requireSegment(acting, segment)).filter;
  return readDemand(acting, postIds, filter);
});

builder.objectField(PostType, 'demand', (t) =>
  t.field({
    type: DemandObject,
    nullable: true,
    description: 'People, companies and revenue behind the post; null for members without isApiUser',
    args: { segment: t.arg.string({ description: 'Id of a segment: only its people and their companies' }) },
    extensions: reads<PostRow>('id'),
    async resolve(post, { segment }, context) {
      if (!may(context.actor, 'customer.see')) return null;
      return (await loadDemand(context, post.id, { segment: segment ?? null })) ?? NO_DEMAND;
    },
  }),
);
