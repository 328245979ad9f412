import assert from 'node:assert/strict';
import type { Any } from '../operation.ts';
import { EVENT_FIELDS } from '../showing.ts';

/** Sends a request as a user or without one; a refused request throws. */
export type Ask = (query: string, variables?: object) => Promise<Any>;

export async function readAll(ask: Ask, list: string, args: string, fields: string): Promise<Any[]> {
  const nodes: Any[] = [];
  let cursor: string | null = null;
  do {
    const query = `query($cursor: String) { ${list}(${args}, cursor: $cursor) { nodes { ${fields} } hasMore cursor } }`;
    const page: Any = (await ask(query, { cursor }))[list];
    assert.equal(page.hasMore, page.cursor !== null, `hasMore of ${list}`);
    nodes.push(...page.nodes);
    cursor = page.cursor;
  } while (cursor !== null);
  return nodes;
}

/** The whole log, without the addresses of posts and entries. */
export async function readEvents(ask: Ask): Promise<Any[]> {
  const nodes: Any[] = [];
  for (let after: string | null = null; ; ) {
    const query = `query($after: String) { events(after: $after, limit: 100) { nodes { ${EVENT_FIELDS} } hasMore cursor } }`;
    const { events }: Any = await ask(query, { after });
    nodes.push(...events.nodes);
    if (!events.hasMore) break;
    after = events.cursor;
  }
  for (const { data } of nodes) delete (data.post ?? data.entry)?.url;
  return nodes;
}

export function sorted<T>(values: readonly T[]): T[] {
  return values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

/** @throws with the first place where the two differ */
export function same(found: Any, expected: Any, what: string): void {
  if (Array.isArray(found) && Array.isArray(expected)) {
    const n = found.findIndex((value, index) => JSON.stringify(value) !== JSON.stringify(expected[index]));
    if (n >= 0)
      assert.deepEqual(found[n], expected[n], `${what}, row ${n} of ${found.length} (${expected.length} expected)`);
    assert.equal(found.length, expected.length, `${what}: rows`);
    return;
  }
  assert.deepEqual(found, expected, what);
}
