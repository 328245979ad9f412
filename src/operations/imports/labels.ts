import { type Field, listFields } from '../../feedback/fields/fields.ts';
import { findOption } from '../../feedback/fields/options.ts';
import type { PropertyInput } from '../../feedback/fields/properties.ts';
import { parseValues } from '../../feedback/fields/values.ts';
import { createStatus, updateStatus } from '../../feedback/statuses/managing.ts';
import {
  listStatuses,
  type PostVisibility,
  type StatusRow,
  type StatusType,
} from '../../feedback/statuses/statuses.ts';
import { parseTagIds } from '../../feedback/tags/tagging.ts';
import { createTag, listTags, type TagRow } from '../../feedback/tags/tags.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { notFound } from '../../platform/errors.ts';
import type { ImportedValues } from './items.ts';
import { parseNames } from './values.ts';

/** What other products call the statuses that every board has. */
const USUAL: Readonly<Record<string, StatusType>> = {
  ...{ open: 'UNASSIGNED', new: 'UNASSIGNED', 'no status': 'UNASSIGNED', unassigned: 'UNASSIGNED' },
  ...{ completed: 'COMPLETED', complete: 'COMPLETED', done: 'COMPLETED', shipped: 'COMPLETED', released: 'COMPLETED' },
  ...{
    archived: 'ARCHIVED',
    closed: 'ARCHIVED',
    declined: 'ARCHIVED',
    rejected: 'ARCHIVED',
    'not planned': 'ARCHIVED',
  },
};
/** What other products call the status that new boards have for work in progress. */
const IN_PROGRESS = { name: 'in progress', called: ['started', 'in development', 'in-progress', 'working on it'] };
/** The color of a status that an import adds; the team chooses another. */
const COLOR = '#787066';

/** The statuses, tags and fields of a board within one transaction, by their names; missing statuses and tags are added. */
export class Labels {
  /** Names of those that were added. */
  readonly addedStatuses: string[] = [];
  readonly addedTags: string[] = [];
  readonly #context: ActorContext;
  #statuses: StatusRow[] | null = null;
  #tags: TagRow[] | null = null;
  #fields: readonly Field[] | null = null;

  constructor(context: ActorContext) {
    this.#context = context;
  }

  /** @returns the id; null for the status of new ideas */
  async findStatus(name: string | null, postVisibility: PostVisibility = 'PUBLIC'): Promise<string | null> {
    if (name === null) return null;
    const { db, board } = this.#context;
    this.#statuses ??= [...(await listStatuses(db.read, board.id))];
    const known = findStatusNamed(this.#statuses, name.toLowerCase());
    // What was merged there is merged here, if the source says into what.
    if (known) return known.type === 'MERGED' ? null : known.id;
    const created = await createStatus(this.#context, { name: capitalize(name), color: COLOR });
    if (postVisibility !== 'PUBLIC') await updateStatus(this.#context, created.id, { postVisibility });
    this.#statuses.push(created);
    this.addedStatuses.push(created.name);
    return created.id;
  }

  async findTags(names: readonly string[], privateNames: readonly string[] = []): Promise<string[]> {
    if (names.length === 0) return [];
    // Before any of too many is added.
    parseTagIds(names);
    const { db, board, actor } = this.#context;
    this.#tags ??= [...(await listTags(db.read, board.id, actor))];
    const ids: string[] = [];
    for (const name of names) ids.push(await this.#findTag(this.#tags, name, privateNames.includes(name)));
    return ids;
  }

  /** The values of a field; none if they are empty. @throws AppError if the board has no such field, or they do not fit */
  async findProperty({ label, values }: ImportedValues): Promise<PropertyInput[]> {
    if (values.every((value) => value.trim() === '')) return [];
    const { db, board, actor } = this.#context;
    this.#fields ??= await listFields(db.read, board.id, actor);
    const field = this.#fields.find((known) => known.label.toLowerCase() === label.trim().toLowerCase());
    if (!field) throw notFound(`Field ${label}`);
    return [{ parent: field.id, values: parseValues(field, separate(field, values)) }];
  }

  async #findTag(tags: TagRow[], name: string, isPrivate: boolean): Promise<string> {
    const known = tags.find((tag) => tag.name.toLowerCase() === name.toLowerCase());
    if (known) return known.id;
    const created = await createTag(this.#context, { name, isPrivate });
    tags.push(created);
    this.addedTags.push(created.name);
    return created.id;
  }
}

/** Options of a field that takes several may be separated by commas. */
function separate({ type, options }: Field, values: readonly string[]): readonly string[] {
  if (type !== 'SELECTION_MULTI') return values;
  return values.flatMap((value) => (findOption(options, value) ? value : parseNames(value)));
}

function findStatusNamed(statuses: readonly StatusRow[], wanted: string): StatusRow | undefined {
  const called = (name: string) => statuses.find((status) => status.name.toLowerCase() === name);
  const usual = USUAL[wanted];
  const ofType = usual && statuses.find(({ type }) => type === usual);
  return called(wanted) ?? ofType ?? (IN_PROGRESS.called.includes(wanted) ? called(IN_PROGRESS.name) : undefined);
}

function capitalize(name: string): string {
  return name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
