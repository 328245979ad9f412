import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Engine } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/open.ts';
import { startEarshot, untilAnswered } from './earshot.ts';
import type { Options } from './options.ts';
import { makePhrase } from './phrases.ts';
import { format, type PartResult } from './report.ts';
import { countPosts, type Store, type Stores } from './stores.ts';

const SCRIPT = join(import.meta.dirname, '../examples/import/import.mjs');
const POSTS = 100_000;
const POSTS_QUICK = 10_000;
const AUTHORS = 500;

/** How fast the import script of the examples brings posts through the API to a board that has many already. */
export async function measureImport(options: Options, stores: Stores): Promise<PartResult> {
  const posts = options.quick ? POSTS_QUICK : POSTS;
  const results: { engine: Engine; seconds: number }[] = [];
  for (const engine of options.engines) {
    console.error(`import: ${posts} posts to ${options.manyPosts} on ${engine}`);
    // What is added stays there, so this part comes after those that only read the store.
    const store = await stores.share(engine, 'phrases', {
      posts: options.manyPosts,
      commentsPerPost: 1,
      phrases: true,
    });
    results.push({ engine, seconds: await importInto(store, posts) });
  }
  const rows = results.map(({ engine, seconds }) => [engine, format(seconds), format(posts / seconds)]);
  const columns = ['', 'seconds', 'posts/s'];
  return {
    tables: [
      {
        title: `Import of ${format(posts)} posts by examples/import to a board of ${format(options.manyPosts)}`,
        columns,
        rows,
      },
    ],
    targets: [],
    samples: results,
  };
}

async function importInto(store: Store, posts: number): Promise<number> {
  const file = join(store.dataDir, 'posts.jsonl');
  writeFileSync(file, Array.from({ length: posts }, (_, n) => `${JSON.stringify(makePost(n))}\n`).join(''));
  await letActForOthers(store);
  const before = await countPosts(store);
  const served = await startEarshot(store);
  try {
    await untilAnswered(served, '/readyz');
    const env = { ...process.env, EARSHOT_URL: served.url, EARSHOT_KEY: store.apiKey, EARSHOT_SSOID: 'bench' };
    const start = performance.now();
    const child = spawn(process.execPath, [SCRIPT, file], { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const status = await new Promise((resolve) => child.once('exit', resolve));
    const seconds = (performance.now() - start) / 1_000;
    const added = (await countPosts(store)) - before;
    if (status !== 0 || added !== posts) throw new Error(`The import ended with ${status} and ${added} posts`);
    return seconds;
  } finally {
    await served.stop();
  }
}

function makePost(n: number): object {
  const { title, text } = makePhrase(n);
  const author = { ssotype: 'SSO', userId: `author-${n % AUTHORS}`, name: `Author ${n % AUTHORS}` };
  return {
    externalId: `${n}`,
    title,
    text,
    author,
    dateCreated: new Date(1_700_000_000_000 + n * 1_000).toISOString(),
  };
}

async function letActForOthers(store: Store): Promise<void> {
  const db = openDb(store);
  await db.transaction((tx) =>
    tx
      .updateTable('users')
      .set({ is_api_user: 1 })
      .where('board_id', '=', store.boardId)
      .where('sso_id', '=', 'bench')
      .execute(),
  );
  await db.close();
}
