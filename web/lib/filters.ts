import { listTags } from '#src/feedback/tags/tags.ts';
import { isTeam, seesStatus } from '#src/feedback/visibility/posts.ts';
import { makeSlug } from '#src/platform/lib/text.ts';
import type { StatusRow } from '../../src/feedback/statuses/statuses.ts';
import type { View } from './joining.ts';

/** The filters of the list that the viewer may use, with counts of what the viewer may see. */
export async function describeFilters(
  { visit: { db }, context: { board, actor } }: View,
  statuses: readonly StatusRow[],
) {
  const tags = await listTags(db.read, board.id, actor);
  const isOnTeam = isTeam(actor);
  const seen = statuses.filter((status) => seesStatus(actor, status));
  return {
    statuses: withSlugs(seen).map(({ slug, row }) => ({
      ...{ slug, id: row.id, name: row.name, color: row.color },
      count: row.post_count - (isOnTeam ? 0 : row.held_count),
      isMerged: row.type === 'MERGED',
    })),
    tags: withSlugs(tags).map(({ slug, row }) => ({ slug, id: row.id, name: row.name })),
  };
}

/** See `describeFilters`. */
export type FiltersView = Awaited<ReturnType<typeof describeFilters>>;

/** Rows by the slug of their name; later ones with the same slug, by their id. */
function withSlugs<R extends { id: string; name: string }>(rows: readonly R[]) {
  const taken = new Set<string>();
  return rows.map((row) => {
    const slug = taken.has(makeSlug(row.name)) ? row.id : makeSlug(row.name);
    taken.add(slug);
    return { slug, row };
  });
}
