/** Part of a list. */
export type Page<T> = { nodes: T[]; hasMore: boolean };

/** A page of up to `limit` rows from one row more. */
export function toPage<T>(rows: T[], limit: number): Page<T> {
  return rows.length > limit ? { nodes: rows.slice(0, limit), hasMore: true } : { nodes: rows, hasMore: false };
}

/** Where the next page of posts begins, as opaque text. */
export function cursorOf(page: Page<{ hot: number; id: string }>): string | null {
  const last = page.nodes.at(-1);
  return page.hasMore && last ? Buffer.from(JSON.stringify([last.hot, last.id])).toString('base64url') : null;
}

/** What a cursor says. */
export function readCursor(cursor: string): [hot: number, id: string] {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString());
}
