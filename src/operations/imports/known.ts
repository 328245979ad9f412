import type { ActorContext } from '../../identity/users/request-context.ts';
import { isOneOf } from '../../platform/db/prepare.ts';
import { deriveId } from '../../platform/lib/ids.ts';
import { findableText } from '../../platform/lib/text.ts';
import type { ImportItem, SourceName } from './items.ts';

/** A post of the board that came with an import; those that are deleted or merged get no more comments and votes. */
export type Known = { id: string; isOpen: boolean };

/** The id of an imported comment. */
export function commentIdOf({ board }: Pick<ActorContext, 'board'>, source: SourceName, id: string): string {
  return deriveId(board.id, source, 'comment', id);
}

/** What the board has of some items: the posts that they are or belong to, and the comments, by their ids in the source. */
export async function findKnown(
  context: Pick<ActorContext, 'db' | 'board'>,
  source: SourceName,
  items: readonly ImportItem[],
): Promise<{ posts: Map<string, Known>; comments: Set<string> }> {
  const { db, board } = context;
  const postIds = items.flatMap((item) => (item.kind === 'post' ? item.id : 'postId' in item ? item.postId : []));
  const posts = await findImported(context, source, postIds);
  const ids = items.flatMap((item) => (item.kind === 'comment' ? item.id : []));
  const byId = new Map(ids.map((id) => [commentIdOf(context, source, id), id]));
  const comments = db.read.selectFrom('comments').select('id').where('board_id', '=', board.id);
  const rows = await comments.where(isOneOf(db.read, 'id', [...byId.keys()])).execute();
  return { posts, comments: new Set(rows.map(({ id }) => byId.get(id) ?? '')) };
}

/** The external id of an imported post, by which a repeated import finds it again. */
export function externalIdOf(source: SourceName, id: string): string {
  return `${source}:${id}`;
}

/** The posts of the board that came from these posts of the source. */
export async function findImported(
  { db, board }: Pick<ActorContext, 'db' | 'board'>,
  source: SourceName,
  ids: readonly string[],
): Promise<Map<string, Known>> {
  // An external id is stored in a normal form, and one that cannot be stored is not there.
  const wanted = Map.groupBy(ids, (id) => findableText(externalIdOf(source, id)) ?? '');
  const posts = db.read.selectFrom('posts').select(['id', 'external_id', 'date_deleted', 'merged_into_id']);
  const ofBoard = posts.where('board_id', '=', board.id);
  const rows = await ofBoard.where(isOneOf(db.read, 'external_id', [...wanted.keys()])).execute();
  return new Map(
    rows.flatMap(({ id, external_id, date_deleted, merged_into_id }) => {
      const known = { id, isOpen: date_deleted === null && merged_into_id === null };
      return (wanted.get(external_id ?? '') ?? []).map((wantedId) => [wantedId, known] as const);
    }),
  );
}
