import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { type Page, readCursor, toPage } from './page.ts';
import type { Comment, Named, Post, Source } from './source.ts';

const POST = 'select id, title, upvotes as upvoteCount, author_id as authorId, status_id as statusId, hot from posts';
const TRENDING = `${POST} where board_id = ? and date_deleted is null`;
// `limit ?` alone would make SQLite plan the statement again for each value bound to it.
const ORDER = 'order by hot desc, id desc limit ? + 0';
const AMONG = 'board_id = ? and id in (select value from json_each(?))';

/** The data of a SQLite file, on a connection set up as Earshot's for reading. */
export function makeSqliteSource(file: string, boardId: string): Source {
  const db = new DatabaseSync(file, { readOnly: true });
  db.exec('pragma cache_size = -32768; pragma mmap_size = 1073741824');
  const post = db.prepare(`${POST} where board_id = ? and id = ? and date_deleted is null`);
  const first = db.prepare(`${TRENDING} ${ORDER}`);
  const next = db.prepare(`${TRENDING} and (hot, id) < (?, ?) ${ORDER}`);
  const users = db.prepare(`select id, name from users where ${AMONG}`);
  const statuses = db.prepare(`select id, name from statuses where ${AMONG}`);
  const comments = new Map<number, StatementSync>();
  return {
    post: (id) => (post.get(boardId, id) as Post | undefined) ?? null,
    posts(limit, cursor) {
      const rows = cursor ? next.all(boardId, ...readCursor(cursor), limit + 1) : first.all(boardId, limit + 1);
      return toPage(rows as Post[], limit);
    },
    users: (ids) => users.all(boardId, JSON.stringify(ids)) as Named[],
    statuses: (ids) => statuses.all(boardId, JSON.stringify(ids)) as Named[],
    comments(postIds, limit) {
      let statement = comments.get(postIds.length);
      if (!statement) {
        statement = db.prepare(commentsOf(postIds.length));
        comments.set(postIds.length, statement);
      }
      const byPost = Map.groupBy(statement.all(boardId, limit + 1, ...postIds) as Comment[], (row) => row.postId);
      return new Map(postIds.map((id): [string, Page<Comment>] => [id, toPage(byPost.get(id) ?? [], limit)]));
    },
  };
}

/** The first comments of so many posts. It takes two thirds of the time of a statement for each post. */
function commentsOf(posts: number): string {
  const first = (n: number) => `select * from (select id, post_id as postId, text from comments
    where board_id = ?1 and post_id = ?${n + 3} and date_deleted is null order by date_created, id limit ?2 + 0)`;
  return Array.from({ length: posts }, (_, n) => first(n)).join(' union all ');
}
