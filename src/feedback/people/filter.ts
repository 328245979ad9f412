import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { WRITTEN } from '../comments/comments.ts';
import { isOnVisiblePost, isVisibleComment } from '../visibility/comments.ts';
import { isVisiblePost, type ViewerFilter } from '../visibility/posts.ts';
import { isVoteOnVisiblePost } from '../votes/list.ts';
import { isLiveVote } from '../votes/votes.ts';

/** Conditions on users; each one narrows the selection. What they did counts as far as the viewer may see it. */
export type PeopleFilter = {
  roles?: readonly string[];
  standings?: readonly string[];
  /** One of these. */
  userIds?: readonly string[];
  /** Belonging to this company. */
  companyId?: string;
  followsChangelog?: boolean;
  /** With a vote since this instant. */
  votedFrom?: number;
  hasNoVotes?: boolean;
  /** With an idea, a vote or a comment since this instant, or a look at their inbox. */
  activeFrom?: number;
};

/** In a query on `users`: the ideas, votes and comments of each that the viewer may see, as tables with conditions. */
export function didOf(viewer: ViewerFilter): Record<'ideas' | 'votes' | 'comments', RawBuilder<unknown>> {
  return {
    ideas: sql`posts where posts.board_id = users.board_id and posts.author_id = users.id
      and ${isVisiblePost(viewer)}`,
    votes: sql`votes where votes.board_id = users.board_id and votes.user_id = users.id
      and ${isLiveVote} and ${isVoteOnVisiblePost(viewer)}`,
    comments: sql`comments where comments.board_id = users.board_id and comments.user_id = users.id
      and comments.is_first = 0 and comments.type in ${WRITTEN}
      and ${isVisibleComment(viewer)} and ${isOnVisiblePost(viewer)}`,
  };
}

/** The conditions of a filter for a query on `users`. */
export function conditionsOfPeople(reader: Reader, filter: PeopleFilter, viewer: ViewerFilter): Expression<SqlBool>[] {
  const { ideas, votes, comments } = didOf(viewer);
  const since = (list: RawBuilder<unknown>, table: string, from: number) =>
    sql<SqlBool>`exists (select 1 from ${list} and ${sql.ref(table)}.date_created >= ${from})`;
  const { roles, standings, userIds, companyId, followsChangelog, votedFrom, hasNoVotes, activeFrom } = filter;
  return [
    ...(roles ? [isOneOf(reader, 'users.role', roles)] : []),
    ...(standings ? [isOneOf(reader, 'users.standing', standings)] : []),
    ...(userIds ? [isOneOf(reader, 'users.id', userIds)] : []),
    ...(companyId
      ? [
          sql<SqlBool>`users.id in (select user_id from company_users
            where board_id = ${viewer.boardId} and company_id = ${companyId})`,
        ]
      : []),
    ...(followsChangelog ? [sql<SqlBool>`users.follows_changelog = 1`] : []),
    ...(votedFrom !== undefined ? [since(votes, 'votes', votedFrom)] : []),
    ...(hasNoVotes ? [sql<SqlBool>`not exists (select 1 from ${votes})`] : []),
    ...(activeFrom !== undefined
      ? [
          sql<SqlBool>`(users.date_inbox_seen >= ${activeFrom} or ${since(votes, 'votes', activeFrom)}
            or ${since(comments, 'comments', activeFrom)} or ${since(ideas, 'posts', activeFrom)})`,
        ]
      : []),
  ];
}
