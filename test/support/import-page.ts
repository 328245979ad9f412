import assert from 'node:assert/strict';
import type { Part } from './files.ts';
import { until } from './until.ts';
import type { TestWeb, WebVisitor } from './web.ts';

/** The page of imports. */
export const IMPORT_PAGE = '/b/acme/settings/import';
/** Makes the owner of the board. */
export const owners = (web: TestWeb) => web.makeMember('Olga', 'OWNER');

/** Uploads a file. @returns where the response leads */
export async function send(visitor: WebVisitor, part: Part): Promise<string> {
  const { statusCode, headers, payload } = await visitor.postForm(`${IMPORT_PAGE}/file`, [
    { filename: 'ideas.csv', ...part },
  ]);
  assert.equal(statusCode, 303, payload);
  return String(headers.location);
}

/** The page, once nothing is running. */
export async function ended(visitor: WebVisitor): Promise<string> {
  let page = '';
  await until('the import has ended', async () => {
    const { statusCode, payload } = await visitor.get(IMPORT_PAGE);
    assert.equal(statusCode, 200, payload);
    page = payload.replaceAll('<!-- -->', '');
    return !page.includes('<progress');
  });
  return page;
}

/** The titles of all ideas, in order. */
export async function titles({ api }: TestWeb): Promise<string[]> {
  const posts = await api.posts({ limit: 100 }, { nodes: { title: true } });
  return posts.nodes.map(({ title }) => title).sort();
}
