import type { EventRow } from '../../events/events.ts';
import type { RequestContext, ViewerContext } from '../../identity/users/request-context.ts';
import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { badRequest } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { defineListLoader } from '../../platform/graphql/loader.ts';
import { type Page, requireLimit } from '../../platform/lib/page.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { cursorAfter, END, encodeLogCursor, parseLogCursor, seenBy } from './cursor.ts';
import { eventTypes, requireEventTypes } from './event-types.ts';
import { type EventFilter, endOfLog, listEvents, listEventsOfPosts } from './list.ts';

const EventType = builder.objectRef<EventRow>('Event').implement({
  description: "An event in the board's log, as webhooks deliver it",
  fields: (t) => ({
    cursor: t.string({
      description: 'Position of the event in the log; pass it as `after` to continue from here',
      resolve: ({ seq }) => cursorAfter(seq),
    }),
    id: t.exposeString('id', { description: 'Id of the event, equal to the `webhook-id` header of its deliveries' }),
    type: t.exposeString('type', { description: 'Type of the event, for example `post.created`' }),
    triggeredAt: t.expose('triggered_at', { type: 'DateTime', description: 'When the event happened' }),
    data: t.field({
      type: 'JSON',
      description: "The `data` object of the webhook's payload",
      extensions: LONG_TEXT,
      resolve: (event) => JSON.parse(event.body).data,
    }),
    actor: t.field({
      type: UserType,
      nullable: true,
      description: 'User who caused the event; null once that user has been erased, or if no user acted',
      resolve: (event, _, context, info) => loadUser(context, event.actor_id, info),
    }),
    post: t.field({
      type: PostType,
      nullable: true,
      description: 'The post as it is now; null if there is none, or if it is not visible',
      resolve: (event, _, context) => (event.post_id === null ? null : loadPost(context, event.post_id)),
    }),
  }),
});

const EventsPayload = builder.objectRef<Page<EventRow>>('EventsPayload').implement({
  description: 'One page of events',
  fields: (t) => ({
    nodes: t.expose('nodes', { type: [EventType], description: 'The events on this page' }),
    hasMore: t.exposeBoolean('hasMore', { description: 'Whether there are more events now' }),
    cursor: t.exposeString('cursor', {
      nullable: true,
      description: 'Pass it as `after` to continue, now or later, when there are new events',
    }),
  }),
});

builder.queryField('events', (t) =>
  t.field({
    type: EventsPayload,
    description:
      "The board's append-only event log in commit order; webhooks are fed from the same rows. No event is skipped: if events after the cursor are no longer kept, the error is CURSOR_EXPIRED. Events of posts and comments that the viewer may not see are left out",
    args: {
      after: t.arg.string({
        description:
          '`cursor` of the last event or page you have, or `end` for a cursor to what happens from now on; default: from the oldest event that is kept',
      }),
      types: t.arg.stringList({ description: `Only events of these types: ${eventTypes.join(', ')} (default: all)` }),
      limit: t.arg.int({ description: 'Events per page, 1 to 100 (default 20)' }),
    },
    resolve: (_, { after, ...args }, context) => {
      const filter = parseArgs({ ...args, after: after === END ? null : after });
      return after === END ? readEnd(context) : withCursor(context, filter, (next) => listEvents(context, next));
    },
  }),
);

builder.subscriptionField('events', (t) =>
  t.field({
    type: EventType,
    description:
      'The events of the log as they happen, in the order and with the visibility of the query `events`, starting from a cursor and without gaps',
    args: {
      after: t.arg.string({
        description:
          '`cursor` of the last event you have, or `end` for what happens from now on; default: from the oldest event that is kept. The header `Last-Event-ID` has priority',
      }),
      types: t.arg.stringList({ description: `Only events of these types: ${eventTypes.join(', ')} (default: all)` }),
    },
    // The log is followed for all streams together (`api/stream/`), and the subscription runs for each event.
    subscribe: (): AsyncIterable<EventRow> => {
      throw new Error('A subscription is not carried out by graphql-js');
    },
    resolve: (event) => event,
  }),
);

const loadEventsOfPost = defineListLoader(listEventsOfPosts);

builder.objectField(PostType, 'events', (t) =>
  t.field({
    type: EventsPayload,
    description: 'Events about the post, oldest first',
    args: {
      after: t.arg.string({ description: '`cursor` of the last event or page you have' }),
      limit: t.arg.int({ description: 'Events per page, 1 to 100 (default 20)' }),
    },
    extensions: reads<PostRow>('id'),
    resolve: (post, args, context) =>
      withCursor(context, parseArgs(args), (filter) => loadEventsOfPost(context, post.id, filter)),
  }),
);

/** Arguments that select events. */
export type EventArgs = {
  after?: string | null | undefined;
  types?: readonly string[] | null | undefined;
  limit?: number | null | undefined;
};

function parseArgs({ after, types, limit }: EventArgs): EventFilter {
  const rows = requireLimit(limit);
  return { after: parseLogCursor(after), types: parseTypes(types), limit: rows };
}

/** The argument `types`; null for all. @throws BAD_REQUEST */
export function parseTypes(types: EventArgs['types']): readonly string[] | null {
  if (types && types.length > 20) throw badRequest('types must have at most 20 names', 'types');
  return types ? requireEventTypes(types, 'types') : null;
}

/** A page without events, to continue from. */
async function readEnd(context: ViewerContext): Promise<Page<EventRow>> {
  return { nodes: [], hasMore: false, cursor: encodeLogCursor(await endOfLog(context)) };
}

/** A follower asks again from the last event it has seen, so the last page has a cursor too. */
async function withCursor(
  { clock }: RequestContext,
  filter: EventFilter,
  list: (filter: EventFilter) => Promise<Page<EventRow>>,
): Promise<Page<EventRow>> {
  const now = clock.now();
  const { nodes, hasMore } = await list(filter);
  const seq = nodes.at(-1)?.seq ?? filter.after?.seq ?? 0;
  const seenUntil = hasMore ? (filter.after?.seenUntil ?? 0) : seenBy(now);
  return { nodes, hasMore, cursor: encodeLogCursor({ seq, seenUntil }) };
}
