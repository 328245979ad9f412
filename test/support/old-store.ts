import { sql } from 'kysely';
import { migrations } from '../../src/platform/db/all-migrations.ts';
import type { Db } from '../../src/platform/db/db.ts';
import { migrate } from '../../src/platform/db/migrate.ts';
import { openDb } from '../../src/platform/db/open.ts';
import type { StorePlace } from './store.ts';

/** How many users and posts a store has. */
export type Size = { users: number; posts: number };

/** The board of such a store. */
const LAST = '0006-conversation';
const BOARD = '01980000-0000-7000-8000-000000000001';

/**
 * Makes a store as the version left it whose last migration was `0006-conversation`: users, and posts that each have a
 * description, three comments, four votes and two followers; and one that all users follow and have commented on.
 */
export async function makeOldStore(place: StorePlace, size: Size): Promise<void> {
  const db = openDb(place);
  try {
    // Creates the table of migrations, and stops at the first.
    await migrate(db, 0, () => {
      throw new Error('No step yet');
    }).catch(() => {});
    await db.transaction(async (tx) => {
      for (const migration of migrations) {
        for (const statement of migration.statements(db.engine)) await sql.raw(statement).execute(tx);
        await tx.insertInto('migrations').values({ name: migration.name, date_applied: 0 }).execute();
        if (migration.name === LAST) break;
      }
    });
    await fill(db, size);
    // As PostgreSQL does by itself after a while.
    if (db.engine === 'postgres') await sql`analyze`.execute(db.read);
  } finally {
    await db.close();
  }
}

async function fill(db: Db, { users, posts }: Size): Promise<void> {
  const status = idOf(1, '1');
  const run = (statement: string) => db.transaction((tx) => sql.raw(statement).execute(tx));
  /** The numbers from 1 as `n.i`, and from 0 as `m.i`. */
  const counted = (many: number, each = 1) => `from (${numbers(1, many)}) n cross join (${numbers(0, each - 1)}) m`;
  const user = `(n.i * 7 + m.i * 13) % ${users} + 1`;
  await run(`insert into boards (id, pid, name, plan, locale, is_roadmap_enabled, post_number, post_count, date_created)
    values ('${BOARD}', 'acme', 'Acme', 'PRO', 'en', 1, ${posts}, ${posts}, 0)`);
  await run(`insert into statuses (board_id, id, name, color, type, post_visibility, position, post_count) values
    ('${BOARD}', ${status}, 'Open', '#123456', 'UNASSIGNED', 'TEAM', 0, ${posts}),
    ('${BOARD}', ${idOf(1, '2')}, 'Merged', '#123456', 'MERGED', 'PUBLIC', 1, 0)`);
  await run(`insert into users (board_id, id, sso_type, sso_id, name, role, date_created, date_updated)
    select '${BOARD}', ${idOf(2, 'n.i')}, 'SSO', n.i, 'User', 'MEMBER', n.i, n.i ${counted(users)}`);
  await run(`insert into posts (board_id, id, number, title, excerpt, author_id, status_id, upvotes, comment_count, hot, is_announced, date_created,
      date_updated)
    select '${BOARD}', ${idOf(3, 'n.i')}, n.i, 'Dark mode', 'Because.', ${idOf(2, user)}, ${status}, 4, 3, n.i, 0, n.i, n.i ${counted(posts)}`);
  await run(`insert into comments (board_id, id, post_id, user_id, type, text, is_first, date_created)
    select '${BOARD}', ${idOf(4, 'n.i * 4 + m.i')}, ${idOf(3, 'n.i')}, ${idOf(2, user)}, 'BASIC', 'Because.',
      case when m.i = 0 then 1 else 0 end, n.i + m.i ${counted(posts, 4)}`);
  await run(`insert into votes (board_id, post_id, user_id, id, type, date_created)
    select '${BOARD}', ${idOf(3, 'n.i')}, ${idOf(2, user)}, ${idOf(5, 'n.i * 4 + m.i')}, 'UP', n.i ${counted(posts, 4)}`);
  await run(`insert into subscriptions (board_id, post_id, user_id, date_created)
    select '${BOARD}', ${idOf(3, 'n.i')}, ${idOf(2, user)}, n.i ${counted(posts, 2)}`);
  await run(`insert into comments (board_id, id, post_id, user_id, type, text, date_created)
    select '${BOARD}', ${idOf(6, 'n.i')}, ${idOf(3, '1')}, ${idOf(2, 'n.i')}, 'BASIC', 'Same here.', n.i ${counted(users)}`);
  await run(`insert into subscriptions (board_id, post_id, user_id, date_created)
    select '${BOARD}', ${idOf(3, '1')}, ${idOf(2, 'n.i')}, n.i ${counted(users)} where true on conflict do nothing`);
}

function numbers(from: number, to: number): string {
  return `with recursive c(i) as (select ${from} union all select i + 1 from c where i < ${to}) select i from c`;
}

/** An id as text that both engines can make of a number. */
function idOf(kind: number, number: string): string {
  const padded = `'000000000000' || (${number})`;
  return `'0198000${kind}-0000-7000-8000-' || substr(${padded}, length(${padded}) - 11)`;
}
