import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { countHiddenPosts } from '#src/feedback/tags/counting.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { isTeam, seesStatus } from '#src/feedback/visibility/posts.ts';
import { makeSlug } from '#src/platform/texts/text.ts';
import type { View } from '../../parts/requests/joining.ts';
import { statusViewOf } from '../statuses.ts';
import { hueOfTag } from '../tags.ts';

/** The filters of the list that the viewer may use, with counts of what the viewer may see. */
export async function describeFilters({ visit: { db }, context }: View, statuses: readonly StatusRow[]) {
  const { board, actor } = context;
  const tags = await listTags(db.read, board.id, actor);
  const hidden = tags.length > 0 ? await countHiddenPosts(context) : new Map<string, number>();
  const isOnTeam = isTeam(actor);
  const seen = statuses.filter((status) => seesStatus(actor, status));
  const viewOf = statusViewOf(statuses);
  return {
    statuses: withSlugs(seen).map(({ slug, row }) => ({
      slug,
      id: row.id,
      ...viewOf(row),
      count: row.post_count - (isOnTeam ? 0 : row.held_count),
      isMerged: row.type === 'MERGED',
      isDone: row.type === 'COMPLETED' || row.type === 'ARCHIVED',
    })),
    tags: withSlugs(tags)
      .map(({ slug, row }) => ({
        slug,
        id: row.id,
        name: row.name,
        hue: hueOfTag(row),
        count: row.post_count - (hidden.get(row.id) ?? 0),
      }))
      .sort((a, b) => b.count - a.count),
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
