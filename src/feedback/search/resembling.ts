import { type Expression, type SqlBool, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import type { Feature } from './features.ts';
import { readRows, type SearchRow } from './rows.ts';
import { type Index, newestFirst, postsWithAll, readLists, type Segment, takeSegments } from './segments.ts';

export type ResemblingQuery = {
  features: readonly Feature[];
  /** Conditions on rows of `posts`; the first is the viewer's scope. */
  conditions: readonly Expression<SqlBool>[];
};

/** Posts of each feature, the newest. */
const PER_FEATURE = 30;
/** Overfetch factor of each pass. */
const MARGIN = 4;
/** Characters of a description that are compared. */
const MAX_TEXT = 600;

/** The newest posts that have each of the features, with the beginnings of their descriptions. */
export async function findResembling(
  reader: Reader,
  index: Index,
  { features, conditions }: ResemblingQuery,
): Promise<SearchRow[]> {
  if (features.length === 0) return [];
  const { boardId } = index;
  const segmentsOf = features.map(({ share }) => takeSegments(index.segments, (MARGIN * PER_FEATURE) / share));
  const questions = Map.groupBy(
    features.flatMap(({ grams }, n) => (segmentsOf[n] ?? []).map((segment) => ({ segment, grams }))),
    ({ segment }) => segment,
  );
  const lists = await readLists(
    reader,
    boardId,
    [...questions].map(([segment, asked]) => ({ segment, grams: asked.flatMap(({ grams }) => grams) })),
  );
  const idsOf = ({ grams }: Feature, segments: readonly Segment[] = []) =>
    newestFirst(segments.flatMap((segment) => postsWithAll(segment, lists, grams)));
  const searches = features.map((feature, n) => new FeatureSearch(feature, idsOf(feature, segmentsOf[n])));
  const query = { boardId, contain: sql<SqlBool>`1 = 1`, conditions, textLength: MAX_TEXT };
  const pending = await readRows(reader, { ...query, limit: index.pending.length }, index.pending);
  for (const search of searches) search.addPending(pending);
  for (;;) {
    const ids = new Set(searches.flatMap((search) => search.next()));
    if (ids.size === 0) break;
    const rows = await readRows(reader, { ...query, limit: ids.size }, newestFirst([...ids]));
    const byId = new Map(rows.map((row) => [row.search_id, row]));
    for (const search of searches) search.add(byId);
  }
  return [...new Map(searches.flatMap(({ found }) => found).map((row) => [row.id, row])).values()];
}

/** The search for the newest posts with one feature. */
class FeatureSearch {
  readonly #feature: Feature;
  readonly #ids: readonly number[];
  readonly found: SearchRow[] = [];
  #asked: readonly number[] = [];
  #position = 0;
  /** A few more than are needed, for those that the viewer may not see; then many more. */
  #atOnce = PER_FEATURE + 5;

  /** @param ids of the posts that have the feature, the newest first */
  constructor(feature: Feature, ids: readonly number[]) {
    this.#feature = feature;
    this.#ids = ids;
  }

  /** Searches for the feature in posts that are in no list yet. */
  addPending(rows: readonly SearchRow[]): void {
    const { parts, field } = this.#feature;
    const isIn = ({ title, text }: SearchRow) =>
      parts.every((part) => title.includes(part) || (field === 'post' && text.includes(part)));
    this.found.push(...rows.filter(isIn).slice(0, PER_FEATURE));
  }

  /** The ids to examine next; none if there are no more, or no more are needed. */
  next(): readonly number[] {
    this.#asked =
      this.found.length >= PER_FEATURE ? [] : this.#ids.slice(this.#position, this.#position + this.#atOnce);
    this.#position += this.#asked.length;
    this.#atOnce *= 8;
    return this.#asked;
  }

  add(rows: ReadonlyMap<number, SearchRow>): void {
    const found = this.#asked.flatMap((id) => rows.get(id) ?? []);
    this.found.push(...found.slice(0, PER_FEATURE - this.found.length));
  }
}
