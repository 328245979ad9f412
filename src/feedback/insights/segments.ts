import { type RawBuilder, sql } from 'kysely';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Reader } from '../../platform/db/db.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { isVisiblePost, viewerFilterOf } from '../visibility/posts.ts';

/** The votes that are read: the newest ones of twelve weeks. */
const MAX_VOTES = 50_000;
const VOTES_MS = 12 * 7 * DAY_MS;
/** Users by whose attributes one is chosen, and how many attributes there are to choose from. */
const MAX_USERS = 200;
const MAX_ATTRIBUTES = 20;
/** Values that are shown, those with the most votes, with the most asked ideas of each. */
const MAX_VALUES = 8;
const IDEAS = 3;
const MAX_CHARACTERS = 100;

/** What users with one value of an attribute asked for. */
export type Segment = { value: string; votes: number; ideas: Asked[] };
type Asked = { id: string; number: number; title: string; votes: number };

/** Names of attributes that users of the board have, the most common first. @throws FORBIDDEN */
export async function listAttributes({ db, board, actor }: ActorContext): Promise<string[]> {
  requireRight(actor, 'user.email');
  const users = db.slow.selectFrom('users').select('attributes').where('board_id', '=', board.id);
  const rows = await users.where('attributes', 'is not', null).orderBy('id', 'desc').limit(MAX_USERS).execute();
  const counts = new Map<string, number>();
  for (const { attributes } of rows) {
    const entries = Object.entries(JSON.parse(attributes ?? '{}') as Record<string, unknown>);
    const plain = entries.filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
    for (const [name] of plain) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const common = [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
  // SQLite cannot look up names with quotes, and takes those that begin with a $ for paths.
  return common
    .filter((name) => name.length <= MAX_CHARACTERS && /^[^"\\$][^"\\]*$/.test(name))
    .slice(0, MAX_ATTRIBUTES);
}

/** The ideas that users asked for most in the last twelve weeks, by the value of an attribute. @throws FORBIDDEN */
export async function readSegments(context: ActorContext, attribute: string): Promise<Segment[]> {
  const { db, board, actor, clock } = context;
  requireRight(actor, 'user.email');
  const newest = db.slow
    .selectFrom('votes')
    .select(['board_id', 'post_id', 'user_id'])
    .where('board_id', '=', board.id)
    .where('date_created', '>', clock.now() - VOTES_MS)
    .where('type', '=', 'UP')
    .orderBy('date_created', 'desc')
    .limit(MAX_VOTES);
  const value = textOf(db.slow, attribute);
  const counted = db.slow
    .selectFrom(newest.as('votes'))
    .innerJoin('users', (join) =>
      join.onRef('users.board_id', '=', 'votes.board_id').onRef('users.id', '=', 'votes.user_id'),
    )
    .innerJoin('posts', (join) =>
      join.onRef('posts.board_id', '=', 'votes.board_id').onRef('posts.id', '=', 'votes.post_id'),
    )
    .select((e) => [value.as('value'), 'posts.id', 'posts.number', 'posts.title', e.fn.countAll().as('votes')])
    .where('users.is_api_user', '=', 0)
    .where('users.attributes', 'is not', null)
    .where(isVisiblePost(viewerFilterOf(actor, board.id)))
    .groupBy([sql`1`, 'posts.id', 'posts.number', 'posts.title']);
  const ranked = db.slow
    .selectFrom(counted.as('counted'))
    .selectAll()
    .select([
      sql<number>`row_number() over (partition by value order by votes desc, number)`.as('rank'),
      sql<number>`sum(votes) over (partition by value)`.as('total'),
    ])
    .where('value', 'is not', null);
  const rows = await db.slow
    .selectFrom(ranked.as('ranked'))
    .select(['value', 'id', 'number', 'title'])
    .select((e) => [e.cast<number>('votes', 'integer').as('votes'), e.cast<number>('total', 'integer').as('total')])
    .where('rank', '<=', IDEAS)
    .orderBy('total', 'desc')
    .orderBy('value')
    .orderBy('rank')
    .limit(MAX_VALUES * IDEAS)
    .execute();
  const segments = [...Map.groupBy(rows, (row) => row.value ?? '')].slice(0, MAX_VALUES);
  return segments.map(([value, ideas]) => ({ value, votes: ideas[0]?.total ?? 0, ideas }));
}

/** An attribute of a user as text. PostgreSQL does not read what has escapes such as that of NUL. */
function textOf(reader: Reader, attribute: string): RawBuilder<string | null> {
  const json = reader.engine === 'sqlite' ? sql`users.attributes` : sql`cast(users.attributes as json)`;
  return sql<string | null>`case when replace(users.attributes, '\\u', '') = users.attributes
    then substr(cast(${json} ->> ${attribute} as text), 1, ${sql.lit(MAX_CHARACTERS)}) end`;
}
