import { sql } from 'kysely';
import type { Reader } from '../../src/platform/db/db.ts';

/** What may be true: one value once it was acknowledged, several while a request was never answered. */
export type Possible<T> = readonly T[];

/** A post that was acknowledged. Only the client that made it changes its status and deletes it. */
export type LedgerPost = {
  id: string;
  number: number;
  title: string;
  statusId: Possible<string>;
  isDeleted: Possible<boolean>;
};

export type LedgerComment = { id: string; postId: string; text: string; isDeleted: Possible<boolean> };

/** What the clients of a server were promised. */
export class Ledger {
  readonly posts = new Map<string, LedgerPost>();
  readonly comments = new Map<string, LedgerComment>();
  /** By post and external id of the user: whether there is a vote. */
  readonly votes = new Map<string, Possible<boolean>>();
  /** Answers that should not have come. */
  readonly problems: string[] = [];
  acknowledged = 0;
}

/**
 * Reads a store and looks for everything that was acknowledged, and for its event.
 * @returns one line for each thing that is lost
 */
export async function findLosses(reader: Reader, ledger: Ledger): Promise<string[]> {
  const announced = await readAnnounced(reader);
  return [
    ...(await findLostPosts(reader, ledger, announced)),
    ...(await findLostComments(reader, ledger, announced)),
    ...(await findLostVotes(reader, ledger)),
  ];
}

async function findLostPosts(reader: Reader, ledger: Ledger, announced: ReadonlySet<string>): Promise<string[]> {
  const columns = ['id', 'number', 'title', 'status_id', 'date_deleted'] as const;
  const rows = new Map((await reader.selectFrom('posts').select(columns).execute()).map((row) => [row.id, row]));
  return [...ledger.posts.values()].flatMap((post) => {
    const row = rows.get(post.id);
    if (!row) return [`post ${post.id} is lost`];
    const isDeleted = row.date_deleted !== null;
    return [
      ...claim(row.number === post.number && row.title === post.title, `post ${post.id} is another`),
      ...claim(post.statusId.includes(row.status_id), `status of post ${post.id} is lost`),
      ...claim(
        post.isDeleted.includes(isDeleted),
        `deletion of post ${post.id}: ${post.isDeleted}, it is ${isDeleted}`,
      ),
      ...claim(announced.has(`post.created ${post.id}`), `post ${post.id} has no post.created`),
      ...claim(announced.has(`post.deleted ${post.id}`) === isDeleted, `post ${post.id}: post.deleted is wrong`),
    ];
  });
}

async function findLostComments(reader: Reader, ledger: Ledger, announced: ReadonlySet<string>): Promise<string[]> {
  const columns = ['id', 'post_id', 'text', 'date_deleted'] as const;
  const rows = new Map((await reader.selectFrom('comments').select(columns).execute()).map((row) => [row.id, row]));
  return [...ledger.comments.values()].flatMap((comment) => {
    const row = rows.get(comment.id);
    if (!row) return [`comment ${comment.id} is lost`];
    const isDeleted = row.date_deleted !== null;
    const isSame = row.post_id === comment.postId && row.text === comment.text;
    return [
      ...claim(isSame, `comment ${comment.id} is another`),
      ...claim(comment.isDeleted.includes(isDeleted), `deletion of comment ${comment.id} is lost`),
      ...claim(announced.has(`comment.created ${comment.id}`), `comment ${comment.id} has no comment.created`),
      ...claim(announced.has(`comment.deleted ${comment.id}`) === isDeleted, `comment ${comment.id}: comment.deleted`),
    ];
  });
}

async function findLostVotes(reader: Reader, ledger: Ledger): Promise<string[]> {
  const { rows } = await sql<{ post_id: string; sso_id: string }>`
    select v.post_id, u.sso_id from votes v join users u on u.board_id = v.board_id and u.id = v.user_id
    where v.type = 'UP'`.execute(reader);
  const votes = new Set(rows.map((row) => `${row.post_id} ${row.sso_id}`));
  return [...ledger.votes].flatMap(([key, possible]) =>
    claim(possible.includes(votes.has(key)), `vote ${key}: ${possible}, it is ${votes.has(key)}`),
  );
}

type Body = { event: string; data: { post?: { id: string }; comment?: { id: string } } };

/** Events that happen to a post or comment once. */
const ANNOUNCED = ['post.created', 'post.deleted', 'comment.created', 'comment.deleted'];

/** Each of these events as its type and the id of the comment or post it is about; each may be there once. */
async function readAnnounced(reader: Reader): Promise<ReadonlySet<string>> {
  const rows = await reader.selectFrom('events').select('body').where('type', 'in', ANNOUNCED).execute();
  const announced = new Set<string>();
  for (const { body } of rows) {
    const { event, data }: Body = JSON.parse(body);
    const key = `${event} ${(data.comment ?? data.post)?.id}`;
    if (announced.has(key)) throw new Error(`${key} is announced twice`);
    announced.add(key);
  }
  return announced;
}

function claim(holds: boolean, otherwise: string): string[] {
  return holds ? [] : [otherwise];
}
