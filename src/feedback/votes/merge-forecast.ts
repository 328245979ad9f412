import { sql } from 'kysely';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { isOneOf, prepare } from '../../platform/db/prepare.ts';
import type { PostRow } from '../posts/posts.ts';
import { countUnattributed } from './unattributed.ts';

/** How many upvotes each of the posts would have if this one were merged into it, by its id. */
export async function countTogether(
  { db }: RequestContext,
  { board_id: boardId, id: sourceId, upvotes }: PostRow,
  targets: readonly PostRow[],
): Promise<Map<string, number>> {
  const targetIds = targets.map(({ id }) => id);
  const rows = targets.length > 0 ? await votersOfBoth(db.slow, { boardId, sourceId, targetIds }) : [];
  const common = new Map(rows.map(({ post_id, count }) => [post_id, count]));
  return new Map(targets.map((target) => [target.id, target.upvotes + upvotes - (common.get(target.id) ?? 0)]));
}

/** How many upvotes a post would have if others were merged into it: who has a vote there counts once, as it is. */
export async function countMerged(
  context: RequestContext,
  { board_id: boardId, id, upvotes }: PostRow,
  sources: readonly PostRow[],
): Promise<number> {
  const { db } = context;
  const ofBoard = db.slow.selectFrom('votes').where('board_id', '=', boardId);
  const there = ofBoard.select('user_id').where('post_id', '=', id);
  const sourceIds = sources.map((source) => source.id);
  const { added } = await ofBoard
    .select((e) => e.cast<number>(e.fn.count('user_id').distinct(), 'integer').as('added'))
    .where(isOneOf(db.slow, 'post_id', sourceIds))
    .where('type', '=', 'UP')
    .where('user_id', 'not in', there)
    .executeTakeFirstOrThrow();
  const unattributed = await countUnattributed(context, sourceIds);
  return upvotes + added + [...unattributed.values()].reduce((sum, count) => sum + count, 0);
}

/** The users who upvoted the source and have a vote on the target, which stays as it is. */
const votersOfBoth = prepare<
  { boardId: string; sourceId: string; targetIds: readonly string[] },
  { post_id: string; count: number }
>((reader, param) =>
  reader
    .selectFrom('votes as own')
    .innerJoin('votes as other', (join) =>
      join.onRef('other.board_id', '=', 'own.board_id').onRef('other.user_id', '=', 'own.user_id'),
    )
    .select('other.post_id')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('own.board_id', '=', param('boardId'))
    .where('own.post_id', '=', param('sourceId'))
    .where('own.type', '=', sql.lit('UP'))
    .where(isOneOf(reader, 'other.post_id', param('targetIds')))
    .groupBy('other.post_id'),
);
