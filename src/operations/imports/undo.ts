import { erasePost } from '../../feedback/lifecycle/purge.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { conflict } from '../../platform/errors.ts';
import { quantity } from '../../platform/lib/quantity.ts';
import { countChanged, findLastImport, type ImportRow, postsOf } from './past-imports.ts';
import { type RemovedAdditions, removeUnusedAdditions } from './unused-additions.ts';
import { removeUnusedUsers } from './unused-users.ts';

/** Posts that are removed in one transaction. */
const STEP = 50;

/**
 * Permanently removes the posts that the last import has added, with everything on them, and then the changelog entries,
 * statuses, tags and users that came with it and that no one else has used, and tells followers of the event log. If it is
 * interrupted, it continues when it is called again.
 * @returns how many of each were removed
 * @throws CONFLICT if there is no import, or if someone has changed one of its posts, commented or voted on it since
 */
export async function undoImport(
  context: RequestContext,
  onProgress: (posts: number) => unknown = () => {},
): Promise<{ source: string; posts: number; users: number } & RemovedAdditions> {
  const last = await findLastImport(context);
  if (!last) throw conflict('There is no import to undo');
  await beginUndo(context, last);
  let posts = 0;
  for (let removed = await removeSome(context, last); removed > 0; removed = await removeSome(context, last)) {
    posts += removed;
    await onProgress(posts);
  }
  const additions = await removeUnusedAdditions(context, last);
  const users = await removeUnusedUsers(context, last);
  await context.db.transaction((tx) =>
    tx.deleteFrom('imports').where('board_id', '=', last.board_id).where('id', '=', last.id).execute(),
  );
  return { source: last.source, posts, ...additions, users };
}

/** From then on it is not asked again who changed something: undoing itself does. */
async function beginUndo({ db, clock }: RequestContext, last: ImportRow): Promise<void> {
  if (last.date_undone !== null) return;
  await db.transaction(async (tx) => {
    const changed = await countChanged(tx, last);
    if (changed > 0) {
      const words = `${quantity(changed, 'idea has', 'ideas have')} been changed, commented or voted on since`;
      throw conflict(`Nothing was undone: ${words}`);
    }
    const row = tx.updateTable('imports').set({ date_undone: clock.now() }).where('board_id', '=', last.board_id);
    await row.where('id', '=', last.id).execute();
  });
}

function removeSome(context: RequestContext, last: ImportRow): Promise<number> {
  return context.db.transaction(async (tx) => {
    const posts = await postsOf(tx, last).select(['id', 'author_id']).orderBy('id').limit(STEP).execute();
    for (const { id, author_id: authorId } of posts) await erasePost(tx, { ...context, actor: null }, id, authorId);
    return posts.length;
  });
}
