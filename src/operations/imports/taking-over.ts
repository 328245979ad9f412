import { findDescription } from '../../feedback/comments/comments.ts';
import { removeDescription, updatePost } from '../../feedback/lifecycle/editing.ts';
import { changePostStatus } from '../../feedback/lifecycle/moving.ts';
import { POST_TEXT, POST_TITLE, type PostRow } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { printable, requireLine, requireTextOr } from '../../platform/texts/text.ts';
import type { ImportedPost } from './items.ts';
import { digestOf } from './memory.ts';

/** What is taken over of an idea when it changes at its source. */
const properties = ['title', 'text', 'status'] as const;
type Property = (typeof properties)[number];

/** What becomes of changes at the source: nothing, nothing yet, or they are taken over. */
export type Changes = 'IGNORED' | 'REMEMBERED' | 'TAKEN';

/** Digests of what a property was at the source, and of what it was here after that had been taken over. */
type Seen = { [P in Property]?: { there: string; here: string } };

declare module '../../platform/db/db.ts' {
  interface Tables {
    import_seen: { board_id: string; post_id: string; seen: string };
  }
}

/** What an idea has here. */
type Here = { title: string; text: string | null; status: string };

/** What an idea of the source should become here: its title and text as the board takes them, and the id of its status. */
export type Wanted = {
  fit: () => { title: string; text: string | null };
  statusId: () => Promise<string | null>;
  /** Called with what stays as it is here, in words. */
  report: (message: string) => void;
};

/** Remembers what an idea is at its source, when it has become the same here. */
export async function rememberPost(context: ActorContext, post: PostRow, item: ImportedPost): Promise<void> {
  const here = await readHere(context.db.read, post);
  await writeSeen(
    context,
    post.id,
    seenOf(item, (property) => digestOf(here[property])),
  );
}

/**
 * Takes over what has changed about an idea at its source since that was last looked at. What was changed here as well
 * stays as it is here.
 * @returns whether the idea was changed
 */
export async function takeOver(
  context: ActorContext,
  postId: string,
  item: ImportedPost,
  wanted: Wanted,
): Promise<boolean> {
  const { db, board } = context;
  const known = await readSeen(db.read, board.id, postId);
  const isDone = known !== null && changedIn(known, item).length === 0;
  if (isDone) return false;
  return db.transaction(async (tx) => {
    const ofBoard = tx.selectFrom('posts').selectAll().where('board_id', '=', board.id);
    const post = await locked(tx, ofBoard.where('id', '=', postId)).executeTakeFirst();
    if (!post || post.date_deleted !== null || post.merged_into_id !== null) return false;
    const here = await readHere(tx, post);
    const { title, text } = wanted.fit();
    const target = {
      title: requireLine(title, POST_TITLE),
      text: requireTextOr(text, POST_TEXT),
      // Only then: the team may have renamed a status that the source still has.
      status: known === null || changedIn(known, item).includes('status') ? await wanted.statusId() : null,
    };
    // An idea that was imported before anything was remembered: only what is the same there has not been changed here.
    const seen =
      known ?? seenOf(item, (property) => (here[property] === target[property] ? digestOf(here[property]) : ''));
    const open = known === null ? properties.filter((property) => seen[property]?.here === '') : changedIn(known, item);
    const differing = open.filter((property) => target[property] !== null || property === 'text');
    const stale = differing.filter((property) => here[property] !== target[property]);
    const kept = stale.filter((property) => seen[property]?.here !== digestOf(here[property]));
    const taken = stale.filter((property) => !kept.includes(property));
    await change(context, postId, target, taken);
    const after =
      taken.length > 0 ? await readHere(tx, await ofBoard.where('id', '=', postId).executeTakeFirstOrThrow()) : here;
    const next = seenOf(item, (property) =>
      kept.includes(property) ? (seen[property]?.here ?? '') : digestOf(after[property]),
    );
    const unchanged = properties.filter((property) => !open.includes(property));
    await writeSeen(context, postId, { ...next, ...pick(seen, unchanged) });
    if (kept.length > 0) wanted.report(describeKept(post.title, kept));
    return taken.length > 0;
  });
}

async function change(
  context: ActorContext,
  postId: string,
  { title, text, status }: { title: string; text: string | null; status: string | null },
  taken: readonly Property[],
): Promise<void> {
  const isText = taken.includes('text');
  if (taken.includes('title') || (isText && text !== null)) {
    await updatePost(context, postId, {
      ...(taken.includes('title') && { title }),
      ...(isText && text !== null && { comment: text }),
    });
  }
  if (isText && text === null) await removeDescription(context, postId);
  if (!taken.includes('status') || status === null) return;
  const found = (await listStatuses(context.db.read, context.board.id)).find(({ id }) => id === status);
  if (found)
    await changePostStatus(context, postId, {
      statusType: found.type,
      statusId: found.type === 'CUSTOM' ? status : null,
    });
}

async function readHere(reader: Reader, post: PostRow): Promise<Here> {
  return { title: post.title, text: (await findDescription(reader, post))?.text ?? null, status: post.status_id };
}

/** What of an idea is not at its source as it was. */
function changedIn(seen: Seen, item: ImportedPost): Property[] {
  return properties.filter((property) => seen[property]?.there !== digestOf(item[property]));
}

function seenOf(item: ImportedPost, hereOf: (property: Property) => string): Seen {
  const entries = properties.map((property) => [property, { there: digestOf(item[property]), here: hereOf(property) }]);
  return Object.fromEntries(entries);
}

function pick(seen: Seen, names: readonly Property[]): Seen {
  return Object.fromEntries(names.map((name) => [name, seen[name]]));
}

async function readSeen(reader: Reader, boardId: string, postId: string): Promise<Seen | null> {
  const rows = reader.selectFrom('import_seen').select('seen').where('board_id', '=', boardId);
  const row = await rows.where('post_id', '=', postId).executeTakeFirst();
  return row ? JSON.parse(row.seen) : null;
}

async function writeSeen({ db, board }: ActorContext, postId: string, value: Seen): Promise<void> {
  const seen = JSON.stringify(value);
  await db.transaction(async (tx) => {
    const insert = tx.insertInto('import_seen').values({ board_id: board.id, post_id: postId, seen });
    await insert.onConflict((c) => c.columns(['board_id', 'post_id']).doUpdateSet({ seen })).execute();
  });
}

function describeKept(title: string, kept: readonly Property[]): string {
  const what = kept.map((property) => `its ${property}`).join(' and ');
  return `“${printable(title, 80)}” was changed here: ${what} stays as it is, though it is another one there`;
}
