import { badRequest } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import type { Context } from '../graphql/context.ts';
import { encodeCursor, makePage, type Page, parseCursor, requireLimit } from '../lib/page.ts';
import { isStorable } from '../lib/text.ts';
import { loadPost, PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { loadUser, UserType } from '../users/users.graphql.ts';
import { type EventRow, listEvents } from './events.ts';

const EventType = builder.objectRef<EventRow>('Event').implement({
  description: "data is the webhook payload's data object; triggeredAt and id are those of the webhook delivery",
  fields: (t) => ({
    cursor: t.string({ resolve: cursorOf }),
    id: t.exposeString('id'),
    type: t.exposeString('type'),
    triggeredAt: t.expose('triggered_at', { type: 'DateTime' }),
    data: t.field({ type: 'JSON', resolve: (event) => JSON.parse(event.body).data }),
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
      "The board's append-only event log in commit order; the same rows feed the webhooks. Nothing is ever skipped.",
    args: { after: t.arg.string(), types: t.arg.stringList(), limit: t.arg.int() },
    resolve: (_, args, context) => readPage(context, args, null),
  }),
);

builder.objectField(PostType, 'events', (t) =>
  t.field({
    type: EventsPayload,
    args: { after: t.arg.string(), limit: t.arg.int() },
    extensions: reads<PostRow>('id'),
    resolve: (post, args, context) => readPage(context, args, post.id),
  }),
);

type EventArgs = {
  after?: string | null | undefined;
  types?: readonly string[] | null | undefined;
  limit?: number | null | undefined;
};

async function readPage({ db, board }: Context, args: EventArgs, postId: string | null): Promise<Page<EventRow>> {
  const limit = requireLimit(args.limit);
  if (args.types && args.types.length > 20) throw badRequest('types takes at most 20 names', 'types');
  const types = args.types?.filter(isStorable) ?? null;
  const [after = 0] = parseCursor('events', args.after) ?? [];
  const filter = { after, types, postId, limit: limit + 1 };
  const page = makePage(await listEvents(db.read, board.id, filter), limit, cursorOf);
  // A follower asks again from the last event it has seen, so the last page has a cursor too.
  const last = page.nodes.at(-1);
  return { nodes: page.nodes, hasMore: page.hasMore, cursor: last ? cursorOf(last) : (args.after ?? null) };
}

function cursorOf(event: EventRow): string {
  return encodeCursor('events', [event.seq, '']);
}
