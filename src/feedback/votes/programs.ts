import { type Expression, type SqlBool, sql } from 'kysely';
import { may } from '../../identity/users/authority.ts';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { isAmong, prepare } from '../../platform/db/prepare.ts';
import type { PostRow } from '../posts/posts.ts';

/** In a query on `votes`: those by programs, which are the users with `isApiUser`; not those that they cast for others. */
export function isByProgram(reader: Reader, boardId: string): Expression<SqlBool> {
  const programs = reader.selectFrom('users').select('id').where('board_id', '=', boardId);
  return isAmong(reader, 'user_id', programs.where('is_api_user', '=', sql.lit(1)));
}

/** The number of upvotes on a post by programs, for the team; 0 for everyone else. */
export async function countVotesOfPrograms({ db, board, actor }: ViewerContext, post: PostRow): Promise<number> {
  if (post.upvotes === 0 || !may(actor, 'post.status')) return 0;
  const [row] = await votesOfPrograms(db.read, { boardId: board.id, postId: post.id });
  return row?.count ?? 0;
}

const votesOfPrograms = prepare<{ boardId: string; postId: string }, { count: number }>((reader, param) =>
  reader
    .selectFrom('votes')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('board_id', '=', param('boardId'))
    .where('post_id', '=', param('postId'))
    .where('type', '=', sql.lit('UP'))
    .where(isByProgram(reader, param('boardId'))),
);
