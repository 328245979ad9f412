import { sql } from 'kysely';
import type { ViewerContext } from '../../identity/users/request-context.ts';
import { isAfter, listEach } from '../../platform/db/lists.ts';
import { prepare, prepareVariants, rowLimit } from '../../platform/db/prepare.ts';
import { encodeCursor, makePage, makePages, type Page, type PageArgs, parseCursor } from '../../platform/lib/page.ts';
import { isTeam } from '../visibility/posts.ts';
import { type ChangelogLabel, type ChangelogState, type EntryRow, labelsOf } from './entries.ts';

/**
 * A page of entries in a state, the newest first: published ones by publication, others by creation. Only the team sees
 * the others.
 * @param label only those with this label
 */
export async function listEntries(
  { db, board, actor }: ViewerContext,
  state: ChangelogState,
  { cursor, limit }: PageArgs,
  label: ChangelogLabel | null = null,
): Promise<Page<EntryRow>> {
  const list = `changelog:${state}`;
  const position = parseCursor(list, cursor);
  if (state !== 'PUBLISHED' && !isTeam(actor)) return makePage<EntryRow>([], limit, () => '');
  const [value = 0, id = ''] = position ?? [];
  const find = entries({ state, after: position !== null, label });
  const rows = await find(db.read, { boardId: board.id, value, id, limit: limit + 1 });
  return makePage(rows, limit, (row) => encodeCursor(list, [row[columnOf(state)] ?? 0, row.id]));
}

function columnOf(state: ChangelogState) {
  return state === 'PUBLISHED' ? 'date_published' : 'date_created';
}

type Shape = { state: ChangelogState; after: boolean; label: ChangelogLabel | null };
type Values = { boardId: string; value: number; id: string; limit: number };

const entries = prepareVariants(({ state, after, label }: Shape) =>
  prepare<Values, EntryRow>((reader, param) => {
    const column = columnOf(state);
    const ofBoard = reader.selectFrom('changelog_entries').selectAll().where('board_id', '=', param('boardId'));
    let list = ofBoard.where('date_published', state === 'PUBLISHED' ? 'is not' : 'is', null);
    if (state !== 'PUBLISHED') list = list.where('date_scheduled', state === 'SCHEDULED' ? 'is not' : 'is', null);
    if (label !== null) list = list.where(sql`' ' || labels || ' '`, 'like', sql.lit(`% ${label} %`));
    if (after) list = list.where(isAfter(column, 'desc', param('value'), param('id')));
    return list
      .orderBy(column, 'desc')
      .orderBy('id', 'desc')
      .limit(rowLimit(param('limit')));
  }),
);

/** The labels that published entries of a board have. */
export async function listUsedLabels({ db, board }: ViewerContext): Promise<ChangelogLabel[]> {
  const rows = await usedLabels(db.read, { boardId: board.id });
  return labelsOf({ labels: rows.map(({ labels }) => labels).join(' ') });
}

const usedLabels = prepare<{ boardId: string }, Pick<EntryRow, 'labels'>>((reader, param) =>
  reader
    .selectFrom('changelog_entries')
    .select('labels')
    .distinct()
    .where('board_id', '=', param('boardId'))
    .where('date_published', 'is not', null),
);

/** A published entry that links a post. */
type LinkingEntry = EntryRow & { post_id: string };

/** Pages of the published entries that link each of the posts, by the post's id, the newest first. */
export async function listEntriesOfPosts(
  { db, board }: ViewerContext,
  postIds: readonly string[],
  { cursor, limit }: PageArgs,
): Promise<Map<string, Page<LinkingEntry>>> {
  const list = 'changelog:post';
  const position = parseCursor(list, cursor);
  const [value = 0, id = ''] = position ?? [];
  const values = { boardId: board.id, value, id, limit: limit + 1 };
  const rows = await entriesOfEach(db.read, { after: position !== null }, values, postIds);
  return makePages(rows, 'post_id', postIds, limit, (row) => encodeCursor(list, [row.date_published ?? 0, row.id]));
}

const entriesOfEach = listEach<{ after: boolean }, Values, LinkingEntry>(({ after }, reader, param, postId) => {
  const entries = reader
    .selectFrom('changelog_entries')
    .innerJoin('changelog_posts as link', (join) =>
      join
        .onRef('link.board_id', '=', 'changelog_entries.board_id')
        .onRef('link.entry_id', '=', 'changelog_entries.id'),
    )
    .selectAll('changelog_entries')
    .select('link.post_id')
    .where('link.board_id', '=', param('boardId'))
    .where('link.post_id', '=', postId ?? '')
    .where('changelog_entries.date_published', 'is not', null);
  const rest = after ? entries.where(isAfter('date_published', 'desc', param('value'), param('id'))) : entries;
  return rest
    .orderBy('date_published', 'desc')
    .orderBy('id', 'desc')
    .limit(rowLimit(param('limit')));
});
