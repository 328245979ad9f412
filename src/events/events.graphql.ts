import { badRequest } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { LONG_TEXT } from '../graphql/limits.ts';
import { defineLoader, MAX_LISTS } from '../graphql/loader.ts';
import { encodeCursor, makePage, type Page, parseCursor, requireLimit } from '../lib/page.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { loadUser, UserType } from '../users/users.graphql.ts';
import { type EventRow, eventTypes, requireEventTypes } from './events.ts';
import { type EventFilter, listEvents, listEventsOfPosts } from './list.ts';

const EventType = builder.objectRef<EventRow>('Event').implement({
  description: "data is the webhook payload's data object; triggeredAt and id are those of the webhook delivery",
  fields: (t) => ({
    cursor: t.string({ resolve: cursorOf }),
    id: t.exposeString('id'),
    type: t.exposeString('type'),
    triggeredAt: t.expose('triggered_at', { type: 'DateTime' }),
    data: t.field({ type: 'JSON', extensions: LONG_TEXT, resolve: (event) => JSON.parse(event.body).data }),
    actor: t.field({
      type: UserType,
      nullable: true,
      resolve: (event, _, context, info) => loadUser(context, event.actor_id, info),
    }),
    post: t.field({
      type: PostType,
      nullable: true,
      resolve: (event, _, context) => (event.post_id === null ? null : loadPost(context, event.post_id)),
    }),
  }),
});

const EventsPayload = builder.objectRef<Page<EventRow>>('EventsPayload').implement({
  fields: (t) => ({
    nodes: t.expose('nodes', { type: [EventType] }),
    hasMore: t.exposeBoolean('hasMore'),
    cursor: t.exposeString('cursor', {
      nullable: true,
      description: 'Pass it as `after` to go on, also later when there are new events; null on an empty page',
    }),
  }),
});

builder.queryField('events', (t) =>
  t.field({
    type: EventsPayload,
    description:
      "The board's append-only event log in commit order; the same rows feed the webhooks. Nothing is ever skipped. Events of posts and comments that the acting user may not see are left out.",
    args: {
      after: t.arg.string(),
      types: t.arg.stringList({ description: `Of ${eventTypes.join(', ')} (default: all)` }),
      limit: t.arg.int(),
    },
    async resolve(_, args, { db, board, actor }) {
      const filter = parseArgs(args);
      return pageOf(await listEvents(db, board.id, actor, filter), args, filter);
    },
  }),
);

const loadEventsOfPost = defineLoader<string, EventFilter, EventRow[]>(
  ({ db, board, actor }, postIds, filter) =>
    listEventsOfPosts(db, board.id, actor, postIds, filter) as Promise<Map<string, EventRow[]>>,
  MAX_LISTS,
);

builder.objectField(PostType, 'events', (t) =>
  t.field({
    type: EventsPayload,
    args: { after: t.arg.string(), limit: t.arg.int() },
    extensions: reads<PostRow>('id'),
    async resolve(post, args, context) {
      const filter = parseArgs(args);
      return pageOf((await loadEventsOfPost(context, post.id, filter)) ?? [], args, filter);
    },
  }),
);

type EventArgs = {
  after?: string | null | undefined;
  types?: readonly string[] | null | undefined;
  limit?: number | null | undefined;
};

/** What to read for these arguments: one event more than a page has, which tells whether there are more. */
function parseArgs({ after, types, limit }: EventArgs): EventFilter {
  const rows = requireLimit(limit) + 1;
  if (types && types.length > 20) throw badRequest('types takes at most 20 names', 'types');
  const [seq = 0] = parseCursor('events', after) ?? [];
  return { after: seq, types: types ? requireEventTypes(types, 'types') : null, limit: rows };
}

function pageOf(rows: readonly EventRow[], { after }: EventArgs, { limit }: EventFilter): Page<EventRow> {
  const { nodes, hasMore } = makePage(rows, limit - 1, cursorOf);
  // A follower asks again from the last event it has seen, so the last page has a cursor too.
  const last = nodes.at(-1);
  return { nodes, hasMore, cursor: last ? cursorOf(last) : (after ?? null) };
}

function cursorOf(event: EventRow): string {
  return encodeCursor('events', [event.seq, '']);
}
