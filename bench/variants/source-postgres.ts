import pg from 'pg';
import { type Page, readCursor, toPage } from './page.ts';
import type { Comment, Named, Post, Source } from './source.ts';

/** As many connections as Earshot has. */
const POOL_SIZE = 10;

const POST = `select id, title, upvotes::int as "upvoteCount", author_id as "authorId", status_id as "statusId", hot
  from posts`;
const TRENDING = `${POST} where board_id = $1 and date_deleted is null`;

/** The data of a PostgreSQL database, through a pool with named statements, which are prepared once a connection. */
export function makePostgresSource(url: string, boardId: string): Source {
  const pool = new pg.Pool({ connectionString: url, max: POOL_SIZE });
  async function all<T extends pg.QueryResultRow>(name: string, text: string, values: unknown[]): Promise<T[]> {
    return (await pool.query<T>({ name, text, values })).rows;
  }
  return {
    async post(id) {
      const text = `${POST} where board_id = $1 and id = $2 and date_deleted is null`;
      return (await all<Post>('post', text, [boardId, id]))[0] ?? null;
    },
    async posts(limit, cursor) {
      const order = 'order by hot desc, id desc limit $2';
      const rows = cursor
        ? all<Post>('next', `${TRENDING} and (hot, id) < ($3, $4) ${order}`, [
            boardId,
            limit + 1,
            ...readCursor(cursor),
          ])
        : all<Post>('first', `${TRENDING} ${order}`, [boardId, limit + 1]);
      return toPage(await rows, limit);
    },
    users: (ids) =>
      all<Named>('users', 'select id, name from users where board_id = $1 and id = any($2::text[])', [boardId, ids]),
    statuses: (ids) =>
      all<Named>('statuses', 'select id, name from statuses where board_id = $1 and id = any($2::text[])', [
        boardId,
        ids,
      ]),
    async comments(postIds, limit) {
      const rows = await all<Comment>('comments', COMMENTS, [boardId, postIds, limit + 1]);
      const byPost = Map.groupBy(rows, (row) => row.postId);
      return new Map(postIds.map((id): [string, Page<Comment>] => [id, toPage(byPost.get(id) ?? [], limit)]));
    },
  };
}

const COMMENTS = `select c.id, c.post_id as "postId", c.text from unnest($2::text[]) as p(id) cross join lateral (
    select id, post_id, text, date_created from comments
    where board_id = $1 and post_id = p.id and date_deleted is null order by date_created, id limit $3
  ) c`;
