import { type Field, listFields } from '../../feedback/fields/fields.ts';
import { findOption } from '../../feedback/fields/options.ts';
import type { PropertyInput } from '../../feedback/fields/properties.ts';
import { parseValues } from '../../feedback/fields/values.ts';
import { createStatus, type StatusChanges, updateStatus } from '../../feedback/statuses/managing.ts';
import { initialNameOf, listStatuses, type StatusRow, type StatusType } from '../../feedback/statuses/statuses.ts';
import { createTag, listTags } from '../../feedback/tags/tags.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { printable } from '../../platform/texts/text.ts';
import type { ImportedValues } from './items.ts';
import { parseNames } from './values.ts';

/** What other products call the statuses that every board has. */
const USUAL: Readonly<Record<string, StatusType>> = {
  open: 'UNASSIGNED',
  offen: 'UNASSIGNED',
  abierto: 'UNASSIGNED',
  abierta: 'UNASSIGNED',
  aberto: 'UNASSIGNED',
  aberta: 'UNASSIGNED',
  ouvert: 'UNASSIGNED',
  ouverte: 'UNASSIGNED',
  otwarte: 'UNASSIGNED',
  aperto: 'UNASSIGNED',
  未対応: 'UNASSIGNED',
  new: 'UNASSIGNED',
  'no status': 'UNASSIGNED',
  unassigned: 'UNASSIGNED',
  completed: 'COMPLETED',
  complete: 'COMPLETED',
  done: 'COMPLETED',
  shipped: 'COMPLETED',
  released: 'COMPLETED',
  resolved: 'COMPLETED',
  ...{
    erledigt: 'COMPLETED',
    fertig: 'COMPLETED',
    terminé: 'COMPLETED',
    'terminé(e)': 'COMPLETED',
    hecho: 'COMPLETED',
    listo: 'COMPLETED',
    concluído: 'COMPLETED',
    zrobione: 'COMPLETED',
    gotowe: 'COMPLETED',
    完了: 'COMPLETED',
    完成: 'COMPLETED',
  },
  ...{
    archived: 'ARCHIVED',
    closed: 'ARCHIVED',
    geschlossen: 'ARCHIVED',
    cerrado: 'ARCHIVED',
    cerrada: 'ARCHIVED',
    fechado: 'ARCHIVED',
    fechada: 'ARCHIVED',
    fermé: 'ARCHIVED',
    zamknięte: 'ARCHIVED',
    chiuso: 'ARCHIVED',
    declined: 'ARCHIVED',
    rejected: 'ARCHIVED',
    canceled: 'ARCHIVED',
    cancelled: 'ARCHIVED',
    'not planned': 'ARCHIVED',
    "won't do": 'ARCHIVED',
  },
};
/** The status of an idea that may be archived there, which does not tell whether it was completed before. */
export function statusOf(name: string | null, isArchived: boolean): string | null {
  return isArchived && USUAL[name?.toLowerCase() ?? ''] !== 'COMPLETED' ? 'Archived' : name;
}

/** What other products call the status that new boards have for work in progress. */
const IN_PROGRESS = {
  name: 'In progress',
  called: ['started', 'in development', 'in-progress', 'working on it', 'in bearbeitung', 'en desarrollo', '开发中'],
};
/** Values of a field: it has at most so many options. */
const MAX_VALUES = 100;
/** Tags up to which an import adds further ones: people choose from all of them. */
export const MAX_TAGS = 1_000;
/** Statuses up to which an import adds further ones; a column with more is something else. */
const MAX_STATUSES = 50;
/** The color of a status that an import adds; the team chooses another. */
const COLOR = '#787066';

/** Which status of the board stands for one of the source, by `keyOfStatus` of the name there; the others are guessed. */
export type StatusChoices = ReadonlyMap<string, string>;

/** By which a status of the source is chosen: as `under_review` and "Under Review" are one. */
export function keyOfStatus(name: string): string {
  return name.trim().replaceAll('_', ' ').toLowerCase();
}

/** What a status of the source became: its first spelling there, and its name on the board; null if the board refuses it. */
export type FoundStatus = { name: string; status: string | null };

/** Names of statuses and tags that a plan has added and taken back. */
export type Added = { statuses: ReadonlySet<string>; tags: ReadonlySet<string> };

/** The statuses, tags and fields of a board within one transaction, by their names; missing statuses and tags are added. */
export class Labels {
  /** Names of those that were added. */
  readonly addedStatuses: string[] = [];
  readonly addedTags: string[] = [];
  /** Statuses of the source, by their keys. */
  readonly foundStatuses = new Map<string, FoundStatus>();
  readonly #chosen: StatusChoices;
  readonly #before: Added;
  readonly #context: ActorContext;
  #statuses: StatusRow[] | null = null;
  /** Ids by lower-case names. */
  #tags: Map<string, string> | null = null;
  #fields: readonly Field[] | null = null;

  /** @param before what counts as added, though it was taken back */
  constructor(context: ActorContext, chosen: StatusChoices, before: Added) {
    this.#context = context;
    this.#chosen = chosen;
    this.#before = before;
  }

  /** @returns the id; null for the status of new ideas */
  async findStatus(given: string | null, properties: StatusChanges = {}): Promise<string | null> {
    if (given === null) return null;
    const { db, board } = this.#context;
    this.#statuses ??= [...(await listStatuses(db.read, board.id))];
    const key = keyOfStatus(given);
    const { name: spelling } = this.foundStatuses.get(key) ?? { name: given };
    const found = (status: string | null) => this.foundStatuses.set(key, { name: spelling, status });
    const chosen = this.#chosen.get(key);
    const name = chosen ?? spelling;
    const known = chosen ? findExactly(this.#statuses, chosen) : findStatusNamed(this.#statuses, name);
    // What was merged there is merged here, if the source says into what.
    if (known?.type === 'MERGED') return null;
    if (known) found(known.name);
    if (known) return known.id;
    found(null);
    const others = this.#statuses.filter((status) => !this.#before.statuses.has(status.name)).length;
    const isPlanned = this.#before.statuses.has(capitalize(name));
    if (!isPlanned && others + this.#before.statuses.size >= MAX_STATUSES)
      throw conflict(`A board gets at most ${MAX_STATUSES} statuses by imports`);
    const created = await createStatus(this.#context, { name: capitalize(name), color: COLOR });
    await updateStatus(this.#context, created.id, properties);
    this.#statuses.push(created);
    this.addedStatuses.push(created.name);
    found(created.name);
    return created.id;
  }

  /** @returns the id of a tag, which is added if it is missing. @throws CONFLICT if the board has many tags already */
  async findTag(name: string, isPrivate: boolean): Promise<string> {
    const { db, board, actor } = this.#context;
    this.#tags ??= new Map((await listTags(db.read, board.id, actor)).map((tag) => [tag.name.toLowerCase(), tag.id]));
    const known = this.#tags.get(name.toLowerCase());
    if (known) return known;
    const planned = new Set([...this.#before.tags].map((tag) => tag.toLowerCase()));
    const others = [...this.#tags.keys()].filter((tag) => !planned.has(tag)).length;
    if (!planned.has(name.toLowerCase()) && others + planned.size >= MAX_TAGS)
      throw conflict(`The tag ${printable(name)} is left out: a board gets at most ${MAX_TAGS} tags by imports`);
    const created = await createTag(this.#context, { name, isPrivate });
    this.#tags.set(created.name.toLowerCase(), created.id);
    this.addedTags.push(created.name);
    return created.id;
  }

  /** The values of a field; none if they are empty. @throws AppError if the board has no such field, or they do not fit */
  async findProperty({ label, values }: ImportedValues): Promise<PropertyInput[]> {
    if (values.every((value) => value.trim() === '')) return [];
    const { db, board, actor } = this.#context;
    this.#fields ??= await listFields(db.read, board.id, actor);
    const field = this.#fields.find((known) => known.label.toLowerCase() === label.trim().toLowerCase());
    if (!field) throw notFound(`Field ${printable(label)}`);
    return [{ parent: field.id, values: parseValues(field, requireFew(separate(field, requireFew(values)))) }];
  }
}

function requireFew(values: readonly string[]): readonly string[] {
  if (values.length <= MAX_VALUES) return values;
  throw badRequest(`A field takes at most ${MAX_VALUES} values; it has ${values.length}`);
}

/** Options of a field that takes several may be separated by commas. */
function separate({ type, options }: Field, values: readonly string[]): readonly string[] {
  if (type !== 'SELECTION_MULTI') return values;
  return values.flatMap((value) => (findOption(options, value) ? value : parseNames(value)));
}

function findExactly(statuses: readonly StatusRow[], name: string): StatusRow | undefined {
  const wanted = name.toLowerCase();
  return statuses.find((status) => status.name.toLowerCase() === wanted);
}

/** The status of this name, or of one that means the same, also in the language of another board or product. */
function findStatusNamed(statuses: readonly StatusRow[], name: string): StatusRow | undefined {
  const wanted = name.toLowerCase();
  const usualName = IN_PROGRESS.called.includes(wanted) ? IN_PROGRESS.name : capitalize(wanted);
  const initial = initialNameOf(name) ?? initialNameOf(usualName);
  const usual = USUAL[wanted];
  return (
    findExactly(statuses, name) ??
    (initial ? statuses.find((status) => initialNameOf(status.name) === initial) : undefined) ??
    (usual ? statuses.find(({ type }) => type === usual) : undefined)
  );
}

function capitalize(name: string): string {
  return name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
