import {
  beginOperation,
  type ChangeRow,
  isOfTeam,
  isSame,
  MAX_UNDONE,
  type State,
  type Thing,
} from '../../identity/activity/activity.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { type Tx, withinTransaction } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { AppError, conflict, forbidden, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { type LocalizedMessage, msg, phrase } from '../../platform/messages.ts';
import { lockMerging, lockPosts } from '../lifecycle/merging.ts';
import { cancelNotices } from '../notices/canceling.ts';
import type { PostRow } from '../posts/posts.ts';
import { entry } from './changelog.ts';
import { changesOf, oldestKept, seesAll, viewChange } from './operations.ts';
import { comment, post } from './posts.ts';
import { board, company, field, fieldOrder, segment, status, statusOrder, tag, user } from './settings.ts';
import type { Undoable } from './undoable.ts';
import { view } from './views.ts';

const undoables: Record<Thing, Undoable> = {
  POST: post,
  COMMENT: comment,
  STATUS: status,
  STATUS_ORDER: statusOrder,
  TAG: tag,
  FIELD: field,
  FIELD_ORDER: fieldOrder,
  CHANGELOG_ENTRY: entry,
  COMPANY: company,
  SEGMENT: segment,
  BOARD: board,
  USER: user,
  VIEW: view,
  OWN_VIEW: view,
};

/** A thing that an operation changed: as it was before the first of its changes, and after the last. */
type Touched = { thing: Thing; id: string; postId: string | null; before: State; after: State };

/**
 * Takes back everything that an operation of the team changed, in one transaction. Each thing is changed back by the
 * function that changes it for everyone, with its rights, events and history. Notifications that no mail contains yet are
 * removed, and then the change back notifies no one either.
 * @returns ids of the users whose rights have changed
 * @throws CONFLICT when something has changed since then; nothing is undone in that case
 */
export async function undoOperation(context: ActorContext, operationId: string): Promise<string[]> {
  if (!isOfTeam(context)) throw forbidden(msg('undoTeamOnly'));
  const { db, board, actor, clock, operation = beginOperation() } = context;
  return db.transaction(async (tx) => {
    // Before posts, as merging does: undoing it locks this as well.
    await lockMerging(tx, board.id);
    const touched = combine(await takeChanges(tx, context, operationId));
    await requireUnchanged(tx, context, touched);
    const isTold = await cancelNotices(tx, board.id, operationId);
    const inside = { ...context, db: withinTransaction(db, tx), operation: { ...operation, isQuiet: !isTold } };
    for (const { thing, id, before } of touched.toReversed()) {
      await undoables[thing].write(inside, id, before).catch(explainMissing);
    }
    operation.isRecorded ||= inside.operation.isRecorded;
    const rows = tx.updateTable('operations').set({ date_undone: clock.now(), undone_by: actor.id });
    await rows.where('board_id', '=', board.id).where('operation_id', '=', operationId).execute();
    return touched.filter(({ thing }) => thing === 'USER').map(({ id }) => id);
  });
}

/** The changes of an operation that can still be undone, locked. @throws NOT_FOUND, CONFLICT */
async function takeChanges(tx: Tx, context: ActorContext, operationId: string): Promise<ChangeRow[]> {
  const { board } = context;
  const changes = isId(operationId) ? await locked(tx, changesOf(tx, board.id, [operationId])).execute() : [];
  const [first] = changes;
  if (!first || first.date_created <= oldestKept(context) || !(await seesAll(tx, context, operationId))) {
    throw notFound('Operation');
  }
  if (first.date_undone !== null) throw conflict(msg('undoAlreadyUndone'));
  const lost = changes.map((change) => viewChange(change).after.lost).find((what) => typeof what === 'string');
  if (lost) throw conflict(msg('undoRemovedForGood', phrase(lost)));
  if (changes.length > MAX_UNDONE) throw conflict(msg('undoTooMany', MAX_UNDONE));
  return changes;
}

/** The things that were changed, each once, in the order of their first changes. */
function combine(changes: readonly ChangeRow[]): Touched[] {
  const things = new Map<string, Touched>();
  for (const { thing, thing_id: id, post_id: postId, before, after } of changes.map(viewChange)) {
    const known = things.get(`${thing} ${id}`);
    const combined = {
      thing,
      id,
      postId,
      before: { ...before, ...known?.before },
      after: { ...known?.after, ...after },
    };
    things.set(`${thing} ${id}`, combined);
  }
  return [...things.values()];
}

/** @throws CONFLICT naming what is no longer as the operation left it */
async function requireUnchanged(tx: Tx, context: ActorContext, touched: readonly Touched[]): Promise<void> {
  const posts = await lockPosts(
    tx,
    context.board.id,
    touched.flatMap(({ postId }) => postId ?? []),
  );
  const changed: LocalizedMessage[] = [];
  for (const { thing, id, postId, after } of touched) {
    const names = Object.keys(after);
    const now = (await undoables[thing].read(tx, context, id, names)) ?? { exists: false };
    const others = names.filter((name) => !isSame(now[name], after[name]));
    changed.push(...others.map((name) => nameOf(thing, name, posts.get(postId ?? ''))));
  }
  if (changed.length === 0) return;
  const list = changed.slice(0, MAX_NAMED).reduce((all, one) => msg('undoList', all, one));
  throw conflict(msg('undoChangedSince', list));
}

/** Properties that an error names at most. */
const MAX_NAMED = 5;

/** Properties without words are values in fields, or those of an earlier version. */
function nameOf(thing: Thing, property: string, post: PostRow | undefined): LocalizedMessage {
  const words = phrase(undoables[thing].words[property] ?? (post ? 'field' : 'settings'));
  return post ? msg('undoOfPost', words, String(post.number)) : words;
}

/** What an earlier value refers to may be gone, such as a status, or the value may no longer be one, such as a past date. */
function explainMissing(error: unknown): never {
  if (!(error instanceof AppError) || (error.code !== 'NOT_FOUND' && error.code !== 'BAD_REQUEST')) throw error;
  const { said, message } = error;
  const what: LocalizedMessage = said ? { text: message, parts: said } : phrase(message);
  throw conflict(msg('undoImpossible', what));
}
