import { readFields } from '../../feedback/fields/fields.ts';
import { createField, rearrangeFields, stateOfField, updateField } from '../../feedback/fields/managing.ts';
import { createStatus, rearrangeStatuses, stateOfStatus, updateStatus } from '../../feedback/statuses/managing.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import { createTag, listTags, stateOfTag, updateTag } from '../../feedback/tags/tags.ts';
import { isSame } from '../../identity/activity/activity.ts';
import type { BoardRow } from '../../identity/board/board.ts';
import { changeBoard } from '../../identity/settings/settings.ts';
import { stateOfBoard } from '../../identity/settings/table.ts';
import { operator } from '../../identity/users/authority.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import type { SsoIdentity } from '../../identity/users/users.ts';
import { withinTransaction } from '../../platform/db/db.ts';
import { transactionOrBack } from '../../platform/db/taking-back.ts';
import { actAs } from '../acting.ts';
import type { BoardFile } from './form.ts';

/** The user in whose name files change boards. */
const FILE_USER: SsoIdentity = { ssoType: 'BOARD_FILE', ssoId: 'board-file' };

/** Of a status that a file adds without a color. */
const DEFAULT_COLOR = '#787066';

/** A property that a file changes: of what, and from which value to which. Without a property, the thing is new. */
export type FileChange = { of: string; property: string | null; before: unknown; after: unknown };

/** What a file changes; `others` are things of the board that the file does not name, which stay. */
export type FileReport = { changes: readonly FileChange[]; others: readonly string[] };

/** The settings of a board as a file: read back, it changes nothing. */
export async function dumpBoard({ db, board }: RequestContext): Promise<BoardFile> {
  const { isChecklistHidden: _, isApiEnabled: __, ...settings } = stateOfBoard(board);
  const statuses = await listStatuses(db.read, board.id);
  const tags = await listTags(db.read, board.id, operator);
  const fields = await readFields(db.read, board.id);
  const withoutIds = (options: readonly { name: string; color: string | null }[]) =>
    options.map(({ name, color }) => ({ name, color }));
  return {
    earshot: 1,
    board: settings as BoardFile['board'],
    statuses: statuses.map((row) => ({ ...(row.type !== 'CUSTOM' && { type: row.type }), ...stateOfStatus(row) })),
    tags: tags.map(stateOfTag).sort((a, b) => (a.name < b.name ? -1 : 1)),
    fields: fields.map((row) => {
      const { options, locations, ...state } = stateOfField(row);
      return { ...state, locations: [...locations], ...(options.length > 0 && { options: withoutIds(options) }) };
    }),
  };
}

/**
 * Gives a board the settings of a file, in one operation that can be undone, or only reports what that would change.
 * @throws AppError as the changes of the settings do, naming the setting
 */
export async function applyBoardFile(
  request: RequestContext,
  file: BoardFile,
  { isPlan }: { isPlan: boolean },
): Promise<FileReport> {
  return transactionOrBack<FileReport>(request.db, async (tx, takeBack) => {
    const db = withinTransaction(request.db, tx);
    const context = await actAs({ ...request, db }, FILE_USER, 'Settings file');
    const before = await dumpBoard({ ...request, db: { ...db, read: tx } });
    const board = await applyAll(context, file);
    const after = await dumpBoard({ ...request, board, db: { ...db, read: tx } });
    const report = { changes: compareFiles(before, after), others: othersOf(file, after) };
    return isPlan || report.changes.length === 0 ? takeBack(report) : report;
  });
}

async function applyAll(context: ActorContext, file: BoardFile): Promise<BoardRow> {
  const board = file.board ? await changeBoard(context, file.board) : context.board;
  if (file.statuses) await applyStatuses(context, file.statuses);
  if (file.tags) await applyTags(context, file.tags);
  if (file.fields) await applyFields(context, file.fields);
  return board;
}

const fold = (name: string) => name.trim().toLowerCase();

async function applyStatuses(context: ActorContext, statuses: NonNullable<BoardFile['statuses']>): Promise<void> {
  const order: string[] = [];
  for (const { type, color, ...rest } of statuses) {
    const wanted = { ...rest, ...(color !== undefined && { color }) };
    const known = (await listStatuses(context.db.read, context.board.id)).find((row) =>
      type ? row.type === type : row.type === 'CUSTOM' && fold(row.name) === fold(wanted.name),
    );
    const { id } = known ?? (await createStatus(context, { color: DEFAULT_COLOR, ...wanted }));
    if (!known || differs(stateOfStatus(known), wanted)) await updateStatus(context, id, wanted);
    order.push(id);
  }
  const now = (await listStatuses(context.db.read, context.board.id)).map(({ id }) => id);
  const named = now.filter((id) => order.includes(id));
  if (!isSame(named, order)) await rearrangeStatuses(context, order);
}

async function applyTags(context: ActorContext, wanted: NonNullable<BoardFile['tags']>): Promise<void> {
  const tags = await listTags(context.db.read, context.board.id, context.actor);
  const byName = new Map(tags.map((tag) => [fold(tag.name), tag]));
  for (const tag of wanted) {
    const known = byName.get(fold(tag.name));
    if (!known) byName.set(fold(tag.name), await createTag(context, tag));
    else if (differs(stateOfTag(known), tag)) byName.set(fold(tag.name), await updateTag(context, known.id, tag));
  }
}

async function applyFields(context: ActorContext, wanted: NonNullable<BoardFile['fields']>): Promise<void> {
  const order: string[] = [];
  for (const field of wanted) {
    const known = (await readFields(context.db.read, context.board.id)).find(
      ({ label }) => fold(label) === fold(field.label),
    );
    if (!known) order.push((await createField(context, field)).id);
    else {
      const { options, ...state } = stateOfField(known);
      const plain = options.map(({ name, color }) => ({ name, color }));
      const asked = {
        ...field,
        ...(field.options && { options: field.options.map(({ name, color = null }) => ({ name, color })) }),
      };
      if (differs({ ...state, options: plain }, asked)) await updateField(context, known.id, field);
      order.push(known.id);
    }
  }
  const now = (await readFields(context.db.read, context.board.id)).map(({ id }) => id);
  const named = now.filter((id) => order.includes(id));
  if (!isSame(named, order)) await rearrangeFields(context, order);
}

/** Whether something is not as a file wants it. */
function differs(state: Readonly<Record<string, unknown>>, wanted: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(wanted).some(([name, value]) => value !== undefined && !isSame(state[name], value));
}

type Things = readonly Readonly<Record<string, unknown>>[];

function compareFiles(before: BoardFile, after: BoardFile): FileChange[] {
  const changes = compareThing('board', { ...before.board }, { ...after.board });
  for (const [of, key, list] of parts) {
    const [old, now] = [list(before), list(after)];
    const nameOf = (thing: Readonly<Record<string, unknown>>) =>
      String(thing.type && of === 'status' ? thing.type : thing[key]);
    for (const thing of now) {
      const name = `${of} “${String(thing[key])}”`;
      const same = old.find((each) => nameOf(each) === nameOf(thing));
      if (same) changes.push(...compareThing(name, same, thing));
      else changes.push({ of: name, property: null, before: null, after: thing });
    }
    const order = (things: Things) => things.map(nameOf).filter((name) => old.some((each) => nameOf(each) === name));
    if (!isSame(order(old), order(now)))
      changes.push({
        of: `order of ${of === 'status' ? 'statuses' : `${of}s`}`,
        property: 'names',
        before: order(old),
        after: order(now),
      });
  }
  return changes;
}

const parts: readonly [of: string, key: string, list: (file: BoardFile) => Things, section: keyof BoardFile][] = [
  ['status', 'name', ({ statuses = [] }) => statuses, 'statuses'],
  ['tag', 'name', ({ tags = [] }) => tags, 'tags'],
  ['field', 'label', ({ fields = [] }) => fields, 'fields'],
];

function compareThing(of: string, before: Things[number], after: Things[number]): FileChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((property) => !isSame(before[property], after[property]))
    .map((property) => ({ of, property, before: before[property] ?? null, after: after[property] ?? null }));
}

/** What the board has besides what a file names, of the kinds that it names. */
function othersOf(file: BoardFile, after: BoardFile): string[] {
  return parts.flatMap(([of, key, list, section]) => {
    const named = new Set(list(file).map((thing) => fold(String(thing[key]))));
    const others = list(after).filter((thing) => of !== 'status' || thing.type === undefined);
    return file[section] === undefined
      ? []
      : others.filter((thing) => !named.has(fold(String(thing[key])))).map((thing) => `${of} “${String(thing[key])}”`);
  });
}
