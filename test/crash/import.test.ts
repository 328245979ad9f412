import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { makeFileFolder } from '../../src/feedback/files/folder.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { makeFile, makeZip, zipOf } from '../support/import-files.ts';
import { makePng } from '../support/pictures.ts';
import { environmentFor, runCommand } from '../support/process.ts';
import { roundsOf } from '../support/rounds.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const IDEAS = 600;
const VOTERS = 3;
/** Ideas with pictures. */
const PICTURED = 200;
const KILLS = roundsOf('IMPORT_KILLS', { short: 3, long: 20 });

/** An export of Earshot: each idea with a comment and votes. */
function makeExport(): string {
  const person = (n: number) => ({
    id: `p${n % 97}`,
    ssoType: null,
    ssoId: null,
    name: `Person ${n % 97}`,
    email: null,
  });
  const lines = Array.from({ length: IDEAS }, (_, n) => [
    {
      row: 'post',
      id: `i${n}`,
      title: `Idea ${n}`,
      text: 'Because.',
      tags: [{ name: `tag ${n % 5}` }],
      author: person(n),
    },
    { row: 'comment', id: `c${n}`, postId: `i${n}`, type: 'BASIC', text: 'Yes', user: person(n + 1) },
    ...Array.from({ length: VOTERS }, (_, v) => ({ row: 'vote', postId: `i${n}`, type: 'UP', user: person(n + v) })),
  ]);
  return lines.flatMap((rows) => rows.map((row) => `${JSON.stringify(row)}\n`)).join('');
}

async function killAfter(args: readonly string[], env: Record<string, string>, ms: number): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await delay(ms);
  child.kill('SIGKILL');
  await ended;
}

/** What the store has, and what its counters say. */
async function readCounts(place: StorePlace) {
  const db = openDb(place);
  try {
    const { read } = db;
    const posts = await read.selectFrom('posts').select(['external_id', 'upvotes', 'comment_count']).execute();
    const board = await read.selectFrom('boards').select(['post_count', 'post_number']).executeTakeFirstOrThrow();
    const tags = await read.selectFrom('tags').select('name').execute();
    const people = await read.selectFrom('users').select('sso_id').where('sso_type', '=', 'EARSHOT').execute();
    return {
      ideas: new Set(posts.map((post) => post.external_id)).size,
      rows: posts.length,
      wrong: posts.filter((post) => post.upvotes !== VOTERS || post.comment_count !== 1),
      board: board.post_count,
      tags: tags.length,
      people: people.length,
    };
  } finally {
    await db.close();
  }
}

/** A backup of Fider: each idea with a picture of its own, and a comment with another one. */
function makeBackup(): Record<string, string | Buffer> {
  const numbers = Array.from({ length: PICTURED }, (_, n) => n + 1);
  const key = (n: number, of: string) => `attachments/${of}-${n}.png`;
  const files = ['post', 'comment'].flatMap((of) =>
    numbers.map((n) => [`blobs/${key(n, of)}`, makePng(3, 2)] as const),
  );
  return {
    ...Object.fromEntries(files),
    ...zipOf({
      'users.json': [{ id: 1, name: 'Jon', email: 'jon@example.com' }],
      'posts.json': numbers.map((id) => ({ id, title: `Idea ${id}`, user_id: 1, status: 0 })),
      'comments.json': numbers.map((id) => ({ id, post_id: id, user_id: 1, content: 'See' })),
      'attachments.json': numbers.flatMap((n) => [
        { post_id: n, comment_id: null, attachment_bkey: key(n, 'post') },
        { post_id: n, comment_id: n, attachment_bkey: key(n, 'comment') },
      ]),
    }),
  };
}

/** The names of files by what they are on, which of them have no bytes, and what else is on disk without being due. */
async function readFiles(place: StorePlace) {
  const db = openDb(place);
  try {
    const files = await db.read.selectFrom('files').select(['id', 'name', 'post_id', 'comment_id']).execute();
    const due = await db.read.selectFrom('file_removals').select('file_id').execute();
    const known = new Set([...files.map(({ id }) => id), ...due.map(({ file_id }) => file_id)]);
    const folder = makeFileFolder(place.dataDir);
    const onDisk = globSync('*/*', { cwd: join(place.dataDir, 'files') }).map((path) => basename(path));
    return {
      onPosts: new Set(files.flatMap(({ name, post_id }) => (post_id === null ? [] : name))).size,
      onComments: new Set(files.flatMap(({ name, comment_id }) => (comment_id === null ? [] : name))).size,
      all: files.length,
      lost: files.filter(({ id }) => !existsSync(folder.pathOf(id))).length,
      left: onDisk.filter((id) => !known.has(id)),
    };
  } finally {
    await db.close();
  }
}

for (const engine of engines) {
  test(`an import that is killed ${KILLS} times is continued, with nothing twice or missing [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const env = environmentFor(place);
    await runCommand(['board', 'create', '--name', 'Acme'], env);
    const args = ['import', makeFile(t, 'board.jsonl', makeExport()), '--from', 'earshot'];
    for (let n = 0; n < KILLS; n++) await killAfter(args, env, 500 + Math.random() * 1_000);
    const { status, stderr, stdout } = await runCommand([...args, '--json'], env);
    assert.equal(status, 0, stderr);
    const { posts, problems } = JSON.parse(stdout);
    assert.deepEqual([posts.added + posts.existing, problems], [IDEAS, 0]);
    const expected = { ideas: IDEAS, rows: IDEAS, wrong: [], board: IDEAS, tags: 5, people: 97 };
    assert.deepEqual(await readCounts(place), expected);
  });

  test(`an import with pictures that is killed ${KILLS} times has each of them once [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const env = environmentFor(place);
    await runCommand(['board', 'create', '--name', 'Acme'], env);
    const args = ['import', await makeZip(t, makeBackup()), '--from', 'fider'];
    for (let n = 0; n < KILLS; n++) await killAfter(args, env, 500 + Math.random() * 1_500);
    const { status, stderr, stdout } = await runCommand([...args, '--json'], env);
    assert.equal(status, 0, stderr);
    assert.equal(JSON.parse(stdout).problems, 0);
    const expected = { onPosts: PICTURED, onComments: PICTURED, all: 2 * PICTURED, lost: 0, left: [] };
    assert.deepEqual(await readFiles(place), expected);
  });
}
