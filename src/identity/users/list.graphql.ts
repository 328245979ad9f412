import { badRequest } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { columnsOf } from '../../platform/graphql/columns.ts';
import { pageArgs, pageOf } from '../../platform/graphql/page.ts';
import { isId } from '../../platform/lib/ids.ts';
import { requireLimit } from '../../platform/lib/page.ts';
import { msg } from '../../platform/messages.ts';
import { requireTextOr } from '../../platform/texts/text.ts';
import { requireSegmentRow, toSegment } from '../companies/segment.ts';
import { requireRight } from './authority.ts';
import { requireActorContext } from './context.graphql.ts';
import { countUsers, listUsers, listUsersAfter } from './list.ts';
import type { ActorContext } from './request-context.ts';
import { UsersPayload, UserType } from './users.graphql.ts';
import type { UserRow } from './users.ts';

builder.queryFields((t) => ({
  users: t.field({
    type: [UserType],
    description: 'Up to 100 users in the order of registration. Use `usersPage` to page through all of them',
    args: {
      limit: t.arg.int({ description: 'Number of users, 1 to 100 (default 20)' }),
      cursor: t.arg.string({ description: 'Id of the last user of the previous page' }),
      search: t.arg.string({ description: 'Part of the name, at most 100 characters' }),
    },
    resolve(_, { limit, cursor, search }, context, info) {
      if (cursor != null && !isId(cursor)) throw badRequest(msg('userCursorInvalid'), 'cursor');
      const acting = requireActorContext(context);
      const query = { id: cursor ?? '', search: parseSearch(search), limit: requireLimit(limit) };
      return listUsersAfter(acting, { ...query, columns: columnsOf(info) });
    },
  }),
  usersPage: t.field({
    type: UsersPayload,
    description: 'All users, page by page, in the order of registration, or of change with `since`',
    args: {
      search: t.arg.string({ description: 'Part of the name, at most 100 characters' }),
      since: t.arg({
        type: 'DateTime',
        description: 'Only users registered or changed at or after this instant, in the order of these changes',
      }),
      segment: t.arg.string({ description: 'Id of a segment: only its people; for the team' }),
      ...pageArgs(t.arg),
    },
    async resolve(_, { search, since, segment, ...args }, context, info) {
      const acting = requireActorContext(context);
      const filter = {
        search: parseSearch(search),
        since: since ?? null,
        segment: segment == null ? null : await findSegment(acting, segment),
      };
      const query = { ...filter, ...pageOf(args), columns: columnsOf<UserRow>(info) };
      return { page: await listUsers(acting, query), count: () => countUsers(acting, filter) };
    },
  }),
}));

/** @throws FORBIDDEN, NOT_FOUND */
async function findSegment({ db, board, actor }: ActorContext, id: string) {
  requireRight(actor, 'customer.see');
  return toSegment(await requireSegmentRow(db.read, board.id, id)).filter;
}

/** @throws BAD_REQUEST for more than 100 characters; null for an empty search, which is none */
function parseSearch(search: string | null | undefined): string | null {
  return requireTextOr(search ?? null, { field: 'search', min: 0, max: 100 }) || null;
}
