import { listVoters, type Voter } from '../../feedback/votes/voters.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { toByteStream } from '../../platform/http/byte-stream.ts';
import { BYTE_ORDER_MARK, type Cell, instant, toLine } from './csv.ts';

/** Votes that are read at once. */
const STEP = 500;

const columns: readonly [name: string, value: (voter: Voter) => Cell][] = [
  ['User ID', ({ vote }) => vote.user_id],
  ['Name', ({ user }) => user?.name ?? null],
  ['E-mail', ({ user }) => user?.email ?? null],
  ['SSO type', ({ user }) => user?.sso_type ?? null],
  ['SSO ID', ({ user }) => user?.sso_id ?? null],
  ['Role', ({ user }) => user?.role ?? null],
  ['API user', ({ user }) => (user === null ? null : String(user.is_api_user === 1))],
  ['Attributes', ({ user }) => user?.attributes ?? null],
  ['Companies', ({ companies }) => companies.map(({ name }) => name).join('; ') || null],
  ['Monthly revenue', ({ companies }) => revenueOf(companies)],
  ['Vote', ({ vote }) => vote.type],
  ['Added by', ({ addedBy }) => addedBy],
  ['Date', ({ vote }) => instant(vote.date_created)],
  ['Evidence', ({ vote }) => vote.evidence],
];

/** What the companies pay a month in all; null if none has told it. */
function revenueOf(companies: Voter['companies']): number | null {
  const amounts = companies.flatMap(({ monthly_revenue }) => monthly_revenue ?? []);
  return amounts.length === 0 ? null : amounts.reduce((sum, amount) => sum + amount, 0);
}

/** The voters of a post as CSV, in the form of the other exports. @throws FORBIDDEN once it is read */
export function exportVoters(
  context: ActorContext,
  postId: string,
  onFault: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  return toByteStream(linesOf(context, postId), onFault);
}

async function* linesOf(context: ActorContext, postId: string): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + toLine(columns.map(([name]) => name));
  let cursor: string | null = null;
  do {
    const page = await listVoters(context, postId, { cursor, limit: STEP });
    yield page.nodes.map((voter) => toLine(columns.map(([, value]) => value(voter)))).join('');
    cursor = page.hasMore ? page.cursor : null;
  } while (cursor !== null);
}
