import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Reader } from '../../src/platform/db/db.ts';
import { openDb } from '../../src/platform/db/open.ts';
import { FORM_TYPE, makeForm } from '../support/files.ts';
import { findFreePort } from '../support/postgres.ts';
import { engines, makeStorePlace, type StorePlace } from '../support/store.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import { joinAsOwner } from './owner.ts';
import { askEarshot, askEarshotIn, type Server, startServer } from './server.ts';

const IDEAS = 1_000;

/** A server that is killed and started again, and an owner who imports on its pages. */
async function makeSite(t: TestContext, place: StorePlace) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const options = { port, env: { BASE_URL: origin } };
  await askEarshotIn(options.env, place, 'board', 'create', '--name', 'Acme');
  let server: Server = await startServer(t, place, options);
  const { home, send } = await joinAsOwner(place, origin);
  const page = `${home}/settings/import`;
  return {
    page,
    send,
    act: async (intent: string) => assert.equal((await send(page, `intent=${intent}`)).status, 302, intent),
    /**
     * Kills the server when some ideas are there and some are not, and starts it when the job that it was at no longer
     * counts as running. Each batch takes the board's row: while this has it, none is added or removed.
     */
    async killHalfway() {
      await withDb(place, async (db) => {
        const isHalf = async (reader: Pick<Reader, 'selectFrom'>) => {
          const { length } = await reader.selectFrom('posts').select('id').execute();
          return length > 0 && length < IDEAS;
        };
        const isKilled = async () => {
          // The board is taken only then: each look would hold up the import.
          if (!(await isHalf(db.read))) return false;
          return db.transaction(async (tx) => {
            await tx
              .updateTable('boards')
              .set(({ ref }) => ({ name: ref('name') }))
              .execute();
            if (!(await isHalf(tx))) return false;
            await server.kill();
            return true;
          });
        };
        await until('some ideas are there', isKilled, 3 * PATIENCE_MS, 20);
        await db.transaction((tx) => tx.updateTable('import_jobs').set({ date_seen: 0 }).execute());
      });
      server = await startServer(t, place, options);
    },
    ended: () =>
      until('nothing is running', async () => !(await send(page)).text.includes('<progress'), 3 * PATIENCE_MS),
    stop: () => server.stop(),
  };
}

async function withDb<T>(place: StorePlace, work: (db: ReturnType<typeof openDb>) => Promise<T>): Promise<T> {
  const db = openDb(place);
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** What the store has of imports. */
function count(place: StorePlace) {
  return withDb(place, async (db) => {
    const posts = await db.read.selectFrom('posts').select('external_id').execute();
    const users = await db.read.selectFrom('users').select('id').where('sso_type', '=', 'CSV').execute();
    const imports = await db.read.selectFrom('imports').select('id').execute();
    const ideas = new Set(posts.map(({ external_id }) => external_id)).size;
    return { posts: posts.length, ideas, users: users.length, imports: imports.length };
  });
}

for (const engine of engines) {
  test(`a server that is killed while it imports and while it undoes leaves nothing twice [${engine}]`, async (t) => {
    const place = await makeStorePlace(t, engine);
    const site = await makeSite(t, place);
    const rows = Array.from({ length: IDEAS }, (_, n) => `Idea ${n},voter${n}@example.com`);
    const bytes = `title,voters\n${rows.join('\n')}\n`;
    const form = makeForm([{ filename: 'ideas.csv', bytes }]);
    assert.equal((await site.send(`${site.page}/file`, form, FORM_TYPE)).status, 303);
    await site.ended();

    await site.act('proceed');
    await site.killHalfway();
    const begun = await count(place);
    assert.ok(begun.posts < IDEAS && begun.posts === begun.ideas && begun.imports === 1, JSON.stringify(begun));
    await site.act('proceed');
    await site.ended();
    assert.deepEqual(await count(place), { posts: IDEAS, ideas: IDEAS, users: IDEAS, imports: 1 });

    await site.act('undo');
    await site.killHalfway();
    await site.act('undo');
    await site.ended();
    assert.deepEqual(await count(place), { posts: 0, ideas: 0, users: 0, imports: 0 });
    await site.stop();
    await askEarshot(place, 'check');
  });
}
