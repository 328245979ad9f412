import { hash } from 'node:crypto';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { deriveId, isId } from '../../platform/lib/ids.ts';
import { type ChatPerson, type ChatRequest, identityOf } from './forms.ts';

/** An idea of which is not known yet whether it is a new one. */
export type Pending = {
  id: string;
  title: string;
  text: string | null;
  /** Who wrote the message, and where it is; null for a command, whose text is that of whom asks. */
  message: { author: ChatPerson; permalink: string; thread: string | null } | null;
};

/** How long the buttons of an answer work. */
const PENDING_MS = HOUR_MS;

/** Keeps an idea until a button is pressed, among the drafts of visitors. The same request keeps it once. */
export async function keepPending(
  { db, clock, board }: RequestContext,
  request: ChatRequest,
  idea: Omit<Pending, 'id'>,
): Promise<Pending> {
  const now = clock.now();
  const digits = request.dateSent.toString(16).padStart(12, '0');
  const id = deriveId(`${digits.slice(0, 8)}-${digits.slice(8)}-`, board.id, identityOf(request.from), request.id);
  const row = { board_id: board.id, id, browser: keyOf(request.from), content: JSON.stringify(idea) };
  await db.transaction(async (tx) => {
    await tx.deleteFrom('drafts').where('date_expires', '<=', now).execute();
    await tx
      .insertInto('drafts')
      .values({ ...row, date_created: now, date_expires: now + PENDING_MS })
      .onConflict((c) => c.doNothing())
      .execute();
  });
  return { id, ...idea };
}

/** What a person was asked about; null if that is too long ago. */
export async function findPending(
  { db, clock, board }: RequestContext,
  id: string,
  person: ChatPerson,
): Promise<Pending | null> {
  if (!isId(id)) return null;
  const query = db.read.selectFrom('drafts').select('content').where('board_id', '=', board.id).where('id', '=', id);
  const own = query.where('browser', '=', keyOf(person)).where('date_expires', '>', clock.now());
  const row = await own.executeTakeFirst();
  return row ? { id, ...JSON.parse(row.content) } : null;
}

/** No browser has this: the secrets of browsers are random. */
function keyOf(person: ChatPerson): string {
  return hash('sha256', `chat ${identityOf(person)}`, 'base64url');
}
