import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { ZipFile } from 'yazl';
import { onEnd } from './cleanup.ts';

/** A file of a test. */
export function makeFile(t: TestContext, name: string, content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-import-'));
  onEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

/** A ZIP file with these files. */
export async function makeZip(t: TestContext, files: Record<string, string | Buffer>): Promise<string> {
  return makeFile(t, 'backup.zip', await packZip(files));
}

/** The bytes of a ZIP file with these files. */
export function packZip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return buffer(zip.outputStream);
}

/** Tables as the files of a backup. */
export function zipOf(tables: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, JSON.stringify(rows)]));
}

/** `posts.csv` in the form of Fider's own writer (app/pkg/csv of its source): RFC 4180, dates of RFC 3339. */
export const FIDER_CSV = `number,title,description,created_at,created_by,votes_count,comments_count,status,responded_by,responded_at,response,original_number,original_title,tags
10,Go is fast,Very tiny description,2018-03-23T19:33:22Z,Faceless,4,2,declined,John Snow,2018-04-04T19:48:10Z,Nothing we need to do,,,"easy, ignored"
15,Go is great,"Two lines,
and a comma",2018-02-21T15:51:35Z,Someone else,4,2,open,,,,,,
20,Go is easy,,2018-01-12T01:46:59Z,Faceless,4,2,duplicate,Arya Stark,2018-03-17T10:15:42Z,This has already been suggested,15,Go is great,
`;

/** The tables of Fider's backup as its export writes them (app/pkg/backup): numbers for texts that look like one. */
export const FIDER_TABLES = {
  'users.json': [
    { id: 1, name: 'Jon', email: 'jon@example.com', tenant_id: 1, role: 3, status: 1 },
    { id: 2, name: 'Arya', email: '', tenant_id: 1, role: 1, status: 1 },
    { id: 3, name: 42, email: 'sam@example.com', tenant_id: 1, role: 1, status: 1 },
  ],
  'posts.json': [
    ...[
      { id: 7, number: 1, title: 'Dark mode', description: 'For **nights**', created_at: '2020-03-01T10:00:00Z' },
      { id: 8, number: 2, title: 2048, description: '', created_at: '2020-03-02T10:00:00.123456Z' },
      { id: 9, number: 3, title: 'Night theme', description: null, created_at: '2020-03-03T10:00:00Z' },
      { id: 10, number: 4, title: 'Spam', description: 'x', created_at: '2020-03-04T10:00:00Z' },
    ].map((post, n) => ({ ...post, user_id: 1 + (n % 2), status: [4, 2, 5, 6][n], original_id: n === 2 ? 7 : null })),
  ].map((post) => ({
    ...post,
    response: post.id === 8 ? 'It is there' : null,
    response_user_id: post.id === 8 ? 1 : null,
    response_date: post.id === 8 ? '2020-04-01T10:00:00Z' : null,
  })),
  'comments.json': [
    { id: 1, content: 'Yes please', post_id: 7, user_id: 2, created_at: '2020-03-05T10:00:00Z', deleted_at: null },
    { id: 2, content: 'Gone', post_id: 7, user_id: 2, created_at: '2020-03-05T11:00:00Z', deleted_at: '2020-03-06' },
  ],
  'post_votes.json': [
    { user_id: 1, post_id: 7, created_at: '2020-03-01T10:00:01Z' },
    { user_id: 2, post_id: 7, created_at: '2020-03-02T10:00:01Z' },
    { user_id: 2, post_id: 9, created_at: '2020-03-03T10:00:01Z' },
    { user_id: 3, post_id: 9, created_at: '2020-03-03T10:00:02Z' },
  ],
  'tags.json': [{ id: 5, name: 'design', color: 'ff0000', is_public: true }],
  'post_tags.json': [{ tag_id: 5, post_id: 7, created_at: '2020-03-01T10:00:00Z' }],
};

/** The export of ideas of UserVoice: a row for each voter. */
export const USERVOICE_CSV = `Idea Id,Idea Title,Idea Description,Category Name,Public Status Name,Labels,Voters Count,Created Timestamp,Idea Creator Name,Idea Creator Email Address,User Email Address,Linked Idea Creation Date
1,Dark mode,Please add it,Features,Under Review,"[""ui"",""theme""]",2,2025-07-21 03:37:03,Alice,alice@example.com,alice@example.com,2025-07-21 03:37:03
1,Dark mode,Please add it,Features,Under Review,"[""ui"",""theme""]",2,2025-07-21 03:37:03,Alice,alice@example.com,bob@example.com,2025-07-22 10:00:00
2,Export CSV,Let me export my data,Features,Planned,,1,2025-06-01 00:00:00,Carol,carol@example.com,carol@example.com,2025-06-01 00:00:00
`;

export const USERVOICE_COMMENTS = `Suggestion Id,Text,User Email,User Name,Created At
1,Me too,bob@example.com,Bob,2025-07-23 08:00:00
`;

/** Lines of an export of Earshot: an idea with reactions to a comment, ideas that are not public, an entry with a reaction. */
export const EARSHOT_LINES = [
  { row: 'post', id: 'p1', title: 'Dark mode', text: 'For nights', author: person('ann') },
  { row: 'comment', id: 'c1', postId: 'p1', type: 'BASIC', text: 'Yes please', user: person('ben') },
  { row: 'comment', id: 'c2', postId: 'p1', type: 'BASIC', text: 'Buy now', user: null, moderationStatus: 'REJECTED' },
  reaction('HEART', 'cleo', '2024-01-01T00:00:00.000Z'),
  reaction('PARTY', 'cleo', '2024-01-02T00:00:00.000Z'),
  reaction('HEART', 'ann', '2024-01-03T00:00:00.000Z'),
  { row: 'post', id: 'p2', title: 'Not read yet', text: null, author: person('ben'), moderationStatus: 'PENDING' },
  { row: 'post', id: 'p3', title: 'Noticed', text: null, author: null, moderationStatus: 'FLAGGED' },
  { row: 'changelogEntry', id: 'e1', title: 'It is here', text: 'Dark mode', datePublished: '2024-02-01T00:00:00Z' },
  ...['dora', 'ben'].map((name) => ({
    row: 'changelogReaction',
    entryId: 'e1',
    reaction: 'PARTY',
    user: person(name),
    dateCreated: '2024-02-02T00:00:00.000Z',
  })),
];

function person(name: string) {
  return { id: name, ssoType: null, ssoId: null, name, email: `${name}@example.com` };
}

function reaction(reaction: string, name: string, dateCreated: string) {
  return { row: 'commentReaction', postId: 'p1', commentId: 'c1', reaction, user: person(name), dateCreated };
}

/** Objects as a file with a line for each. */
export function toLines(objects: readonly object[]): string {
  return objects.map((object) => `${JSON.stringify(object)}\n`).join('');
}
