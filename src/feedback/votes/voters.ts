import { sql } from 'kysely';
import { type CompanyRow, findCompaniesOf } from '../../identity/companies/company.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { findUsers, type Role, type UserRow } from '../../identity/users/users.ts';
import type { Rows } from '../../platform/db/db.ts';
import { prepare, rowLimit } from '../../platform/db/prepare.ts';
import { AppError, badRequest } from '../../platform/errors.ts';
import type { Page, PageArgs } from '../../platform/lib/page.ts';
import { msg } from '../../platform/messages.ts';
import type { PostRow } from '../posts/posts.ts';
import { listVotes } from './list.ts';
import { type VoteRow, vote } from './votes.ts';

const COLUMNS = ['id', 'name', 'email', 'role', 'image', 'is_api_user', 'attributes', 'sso_type', 'sso_id'] as const;

/** A vote on a post, with who gave it; null once that user is erased. */
export type Voter = {
  vote: VoteRow;
  user: Pick<UserRow, (typeof COLUMNS)[number]> | null;
  /** The companies that the user belongs to, by name. */
  companies: readonly CompanyRow[];
  /** The name of who voted on behalf of the user. */
  addedBy: string | null;
};

/**
 * The votes on a post and who gave them, the oldest first, for the team.
 * @throws FORBIDDEN
 */
export async function listVoters(context: ActorContext, postId: string, page: PageArgs): Promise<Page<Voter>> {
  const { db, board, actor } = context;
  requireRight(actor, 'user.email');
  const votes = await listVotes(context, { postId, userId: null, since: null }, page);
  const ids = new Set(
    votes.nodes.flatMap(({ user_id, added_by }) => [user_id, ...(added_by === null ? [] : [added_by])]),
  );
  const users = ids.size === 0 ? [] : await findUsers(db.read, board.id, [...ids], COLUMNS);
  const byId = new Map(users.map((user) => [user.id, user]));
  const companies = await findCompaniesOf(db.read, board.id, [...byId.keys()]);
  return {
    ...votes,
    nodes: votes.nodes.map((vote) => ({
      vote,
      user: byId.get(vote.user_id) ?? null,
      companies: companies.get(vote.user_id) ?? [],
      addedBy: vote.added_by === null ? null : (byId.get(vote.added_by)?.name ?? ''),
    })),
  };
}

/**
 * Adds the upvote of someone who asked elsewhere, for example in a mail or a call.
 * @param evidence where they did: a link or a few words, or nothing
 * @throws FORBIDDEN, BAD_REQUEST if the board knows no one with this address
 */
export async function addVoteOf(context: ActorContext, postId: string, email: string, evidence: string): Promise<void> {
  try {
    await vote(context, postId, 'UP', { email, evidence, isCustomer: true });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error;
    throw badRequest(msg('voteEmailUnknown'), 'email');
  }
}

/** What is shown of a user who voted. */
export type Face = { name: string; role: Role; image: string | null };

/** The users who upvoted a post last, except users without a name and erased ones; its caller has found it for the viewer. */
export function findNewestVoters({ db }: RequestContext, post: PostRow, limit: number): Rows<Face> {
  return newestVoters(db.read, { boardId: post.board_id, postId: post.id, limit });
}

const newestVoters = prepare<{ boardId: string; postId: string; limit: number }, Face>((reader, param) =>
  reader
    .selectFrom('votes')
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'votes.board_id').onRef('users.id', '=', 'votes.user_id'),
    )
    .select(['users.name', 'users.role', 'users.image'])
    .$narrowType<{ name: string }>()
    .where('votes.board_id', '=', param('boardId'))
    .where('votes.post_id', '=', param('postId'))
    .where('votes.type', '=', sql.lit('UP'))
    .where('users.name', 'is not', null)
    .orderBy('votes.date_created', 'desc')
    .orderBy('votes.id', 'desc')
    .limit(rowLimit(param('limit'))),
);
