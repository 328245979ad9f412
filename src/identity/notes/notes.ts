import { conflict, notFound } from '../../platform/errors.ts';
import { isId, makeId } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireText } from '../../platform/texts/text.ts';
import { requireRight } from '../users/authority.ts';
import type { ActorContext } from '../users/request-context.ts';
import { findUserById } from '../users/users.ts';

/** What a member of the team noted about a user; only the team sees it. */
export type NoteRow = {
  board_id: string;
  user_id: string;
  id: string;
  /** Null once that user is erased. */
  author_id: string | null;
  text: string;
  date_created: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    user_notes: NoteRow;
  }
}

/** Maximum number of notes on a user, which are listed together. */
const MAX_NOTES = 100;
export const NOTE_LENGTH = 2_000;

/** The notes on a user, the newest first. @throws FORBIDDEN */
export function listNotes({ db, board, actor }: ActorContext, userId: string): Promise<NoteRow[]> {
  requireRight(actor, 'user.notes');
  const query = db.read.selectFrom('user_notes').selectAll().where('board_id', '=', board.id);
  return query.where('user_id', '=', userId).orderBy('id', 'desc').limit(MAX_NOTES).execute();
}

/**
 * Adds a note on a user.
 * @throws FORBIDDEN; NOT_FOUND; BAD_REQUEST if it is empty or too long; CONFLICT if there are too many
 */
export function writeNote(context: ActorContext, userId: string, raw: string): Promise<NoteRow> {
  const { db, board, clock, actor } = context;
  requireRight(actor, 'user.notes');
  const text = requireText(raw, { field: 'text', min: 1, max: NOTE_LENGTH });
  return db.transaction(async (tx) => {
    if (!(await findUserById(tx, board.id, userId))) throw notFound('User');
    const others = tx.selectFrom('user_notes').select('id').where('board_id', '=', board.id);
    const known = await others.where('user_id', '=', userId).limit(MAX_NOTES).execute();
    if (known.length >= MAX_NOTES) throw conflict(msg('noteTooMany', MAX_NOTES));
    const own = { board_id: board.id, user_id: userId, author_id: actor.id };
    const row = { ...own, id: makeId(), text, date_created: clock.now() };
    await tx.insertInto('user_notes').values(row).execute();
    return row;
  });
}

/** Permanently deletes a note on a user. @throws FORBIDDEN, NOT_FOUND */
export function deleteNote({ db, board, actor }: ActorContext, userId: string, id: string): Promise<void> {
  requireRight(actor, 'user.notes');
  return db.transaction(async (tx) => {
    const query = tx.selectFrom('user_notes').select('author_id').where('board_id', '=', board.id);
    const note = isId(id) && (await query.where('user_id', '=', userId).where('id', '=', id).executeTakeFirst());
    if (!note) throw notFound('Note');
    requireRight(actor, 'note.delete', note.author_id);
    const row = tx.deleteFrom('user_notes').where('board_id', '=', board.id);
    await row.where('user_id', '=', userId).where('id', '=', id).execute();
  });
}
