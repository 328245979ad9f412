import { lockMerging, lockPosts } from '../../feedback/lifecycle/merging.ts';
import { erasePost } from '../../feedback/lifecycle/purge.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { conflict } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { countChanged, findLastImport, findTouched, type ImportRow, postsOf } from './past-imports.ts';
import { type RemovedAdditions, removeUnusedAdditions } from './unused-additions.ts';
import { removeUnusedUsers } from './unused-users.ts';

/** Posts that are removed in one transaction. */
const STEP = 50;

/**
 * Permanently removes the posts that the last import has added, with everything on them, and then the changelog entries,
 * statuses, tags and users that came with it and that no one else has used, and tells followers of the event log. If it is
 * interrupted, it continues when it is called again.
 * @returns how many of each were removed
 * @throws CONFLICT if there is no import, or if someone has changed one of its posts, commented or voted on it since; once
 * it has begun, only such posts stay, and all others are removed
 */
export async function undoImport(
  context: RequestContext,
  onProgress: (posts: number) => unknown = () => {},
): Promise<{ source: string; posts: number; users: number } & RemovedAdditions> {
  const last = await findLastImport(context);
  if (!last) throw conflict(msg('importNoneToUndo'));
  await beginUndo(context, last);
  let [posts, kept] = [0, 0];
  for (let step = await removeSome(context, last, last.id); step; step = await removeSome(context, last, step.upTo)) {
    posts += step.removed;
    kept += step.kept;
    await onProgress(posts);
  }
  const additions = await removeUnusedAdditions(context, last);
  const users = await removeUnusedUsers(context, last);
  if (kept > 0) throw conflict(msg('importUndoIncomplete', posts, kept));
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
    if (changed > 0) throw conflict(msg('importUndoRefused', changed));
    const row = tx.updateTable('imports').set({ date_undone: clock.now() }).where('board_id', '=', last.board_id);
    await row.where('id', '=', last.id).execute();
  });
}

/**
 * Removes the next posts, except those that someone has commented or voted on by now: undoing takes a while, and may have
 * been interrupted for days.
 */
function removeSome(context: RequestContext, last: ImportRow, after: string) {
  return context.db.transaction(async (tx) => {
    const posts = postsOf(tx, last).select(['id', 'author_id']).where('id', '>', after);
    const next = await posts.orderBy('id').limit(STEP).execute();
    const ids = next.map(({ id }) => id);
    // In the order in which erasing locks them, too. From here on, no one comments or votes.
    await lockMerging(tx, last.board_id);
    await lockPosts(tx, last.board_id, ids);
    const touched = await findTouched(tx, last, ids);
    const unused = next.filter(({ id }) => !touched.has(id));
    for (const { id, author_id: authorId } of unused) await erasePost(tx, { ...context, actor: null }, id, authorId);
    const upTo = ids.at(-1);
    return upTo === undefined ? null : { removed: unused.length, kept: touched.size, upTo };
  });
}
