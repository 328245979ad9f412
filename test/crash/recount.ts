import { sql } from 'kysely';
import { belongs, describeMismatch, ofBoard, type Rule } from '../../src/operations/check/rule.ts';
import { boardRules, storeRules } from '../../src/operations/check/rules.ts';
import type { Reader } from '../../src/platform/db/db.ts';

/** What holds as well until a post is removed permanently. */
const strictRules: readonly Rule[] = [
  ofBoard('boards.post_number is that of the newest post', sql`b.post_number`, sql`max(number)`, 'posts'),
  ofBoard('post numbers have no gaps and no duplicates', sql`b.post_number`, sql`count(distinct number)`, 'posts'),
];

/**
 * Counts everything that the store keeps a count of, and looks for the event of every change.
 * Each rule is one statement and so sees one state of the store, whatever is being written in the meantime.
 * @returns one line for each mistake; none when the store is right
 */
export async function recount(reader: Reader): Promise<string[]> {
  const events = belongs('events', 'post_id', ['a post', 'posts']);
  const mistakes = await findMistakes(reader, [...strictRules, ...storeRules, events]);
  return [...mistakes, ...(await findBrokenStatusHistories(reader))];
}

/** As `recount`, but only what costs next to nothing on a large store: the sequence of events and the board's counts. */
export function recountBoards(reader: Reader): Promise<string[]> {
  return findMistakes(reader, [...strictRules, ...boardRules]);
}

async function findMistakes(reader: Reader, rules: readonly Rule[]): Promise<string[]> {
  const mistakes: string[] = [];
  for (const { rule, mismatches } of rules) {
    const { rows } = await mismatches.execute(reader);
    mistakes.push(...rows.map((row) => `${rule}: ${describeMismatch(row)}`));
  }
  return mistakes;
}

type StatusEvent = { post_id: string; type: string; body: string; status_id: string };
type StatusBody = {
  data: { post: { status?: { id: string } }; status?: { id: string }; previousStatus?: { id: string } };
};

/** Each change of status starts where the one before ended, and the last one ends where the post is now. */
async function findBrokenStatusHistories(reader: Reader): Promise<string[]> {
  const { rows } = await sql<StatusEvent>`
    select e.post_id, e.type, e.body, p.status_id
    from events e
    join posts p on p.board_id = e.board_id and p.id = e.post_id and p.is_announced = 1
    where e.type in ('post.created', 'post.status.updated')
    order by e.board_id, e.seq`.execute(reader);
  const mistakes: string[] = [];
  const reached = new Map<string, { told: string | undefined; stored: string }>();
  for (const { post_id, type, body, status_id } of rows) {
    const { data }: StatusBody = JSON.parse(body);
    const before = type === 'post.created' ? undefined : reached.get(post_id)?.told;
    if (data.previousStatus?.id !== before) mistakes.push(`post.status.updated of ${post_id} does not follow the last`);
    reached.set(post_id, { told: (data.status ?? data.post.status)?.id, stored: status_id });
  }
  for (const [id, { told, stored }] of reached) {
    if (told !== stored) mistakes.push(`status of ${id} is ${stored}, its events tell ${told}`);
  }
  return mistakes;
}
