import { LRUCache } from 'lru-cache';
import { findDescription } from '#src/feedback/comments/comments.ts';
import { readDemand } from '#src/feedback/demand/demand.ts';
import { findPropertiesOfPosts } from '#src/feedback/fields/properties.ts';
import { namesOf } from '#src/feedback/fields/values.ts';
import { findPosts, type PostRow } from '#src/feedback/posts/posts.ts';
import { findSimilar } from '#src/feedback/search/similar.ts';
import type { StatusRow } from '#src/feedback/statuses/statuses.ts';
import { isHeld, viewerScopeOf } from '#src/feedback/visibility/posts.ts';
import { countVotesOfPrograms } from '#src/feedback/votes/programs.ts';
import { countVotesByWeek } from '#src/feedback/votes/trend.ts';
import { countUnattributed } from '#src/feedback/votes/unattributed.ts';
import { findNewestVoters } from '#src/feedback/votes/voters.ts';
import { may } from '#src/identity/users/authority.ts';
import { MINUTE_MS } from '#src/platform/lib/clock.ts';
import { formatCount, parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import type { View } from '../parts/requests/joining.ts';
import { viewAuthor } from '../parts/requests/people.ts';
import { viewFieldsForm } from '../posts/idea-fields.ts';
import { postPath } from '../posts/posts.ts';
import { statusViewOf } from '../posts/statuses.ts';

/** Maximum number of voters with a face, and of similar posts. */
const FACES = 6;
const SIMILAR = 3;
/** With fewer weeks or votes there is nothing to see in their chart. */
const LEAST_WEEKS = 3;
const LEAST_VOTES = 3;

/** What a page of an export does not have: it depends on more than the post, which would leave it out of date. */
const NOTHING_OF_OTHERS = { weeks: [], voters: [], similar: [] };

/** What stands beside a post: its votes, its fields, and posts like it. */
export async function viewPanel(view: View, post: PostRow, statuses: readonly StatusRow[]) {
  const { context } = view;
  return {
    ...(view.visit.isStatic ? NOTHING_OF_OTHERS : await viewOthers(view, post, statuses)),
    voterPage: may(context.actor, 'post.status') ? `/b/${context.board.pid}/voters/${post.number}` : null,
    notes: await viewNotes(view, post),
    authorPage: may(context.actor, 'user.notes') ? `/b/${context.board.pid}/people/${post.author_id}` : null,
    fields: await viewFields(view, post),
    form: may(context.actor, 'post.edit', post.author_id) ? await viewFieldsForm(view, post) : null,
  };
}

export type PanelView = Awaited<ReturnType<typeof viewPanel>>;

/** How the votes came in, who gave the last of them, and posts like this one. */
async function viewOthers(view: View, post: PostRow, statuses: readonly StatusRow[]) {
  const { context } = view;
  const isMerged = post.merged_into_id !== null;
  const weeks = isMerged || post.upvotes < LEAST_VOTES ? [] : await countVotesByWeek(context, post);
  const voters = isMerged ? [] : await findNewestVoters(context, post, FACES);
  return {
    weeks: weeks.length < LEAST_WEEKS ? [] : weeks,
    voters: voters.map((voter) => viewAuthor(voter, voter.name)),
    similar: (await listSimilar(view, post)).slice(0, SIMILAR).map(viewBriefly(statuses)),
  };
}

/** What is to be known of the votes, in words. */
async function viewNotes(view: View, post: PostRow): Promise<string[]> {
  const notes = [viewUnattributed(view, post), viewVotesOfPrograms(view, post), viewDemand(view, post)];
  return (await Promise.all(notes)).filter((note) => note !== null);
}

/** How many of the votes came with an import, without their voters; null without any. */
async function viewUnattributed({ visit, context }: View, post: PostRow): Promise<string | null> {
  const count = post.upvotes === 0 ? 0 : ((await countUnattributed(context, [post.id])).get(post.id) ?? 0);
  return count === 0 ? null : m.unattributedVotes(parseLocale(visit.language()), { count });
}

/** How many of the votes are by programs, in words for the team; null without any. */
async function viewVotesOfPrograms({ visit, context }: View, post: PostRow): Promise<string | null> {
  const count = await countVotesOfPrograms(context, post);
  return count === 0 ? null : m.byPrograms(parseLocale(visit.language()), { count });
}

/** Companies behind a post and what they pay, in words for the team; null without any. */
async function viewDemand({ visit, context }: View, post: PostRow): Promise<string | null> {
  const { actor } = context;
  if (visit.isStatic || !actor || !may(actor, 'customer.see')) return null;
  const demand = (await readDemand({ ...context, actor }, [post.id], null)).get(post.id);
  if (!demand?.companies) return null;
  const l = parseLocale(visit.language());
  const companies = m.companyCount(l, { count: demand.companies });
  return m.demand(l, { companies, revenue: formatCount(l, demand.monthlyRevenue) });
}

/** The fields of a post that have values, with these as people read them. */
async function viewFields({ context }: View, post: PostRow) {
  const properties = (await findPropertiesOfPosts(context, [post.id])).get(post.id) ?? [];
  return properties.map(({ field, values }) => ({
    id: field.id,
    label: field.label,
    type: field.type,
    isPublic: field.visibility === 'PUBLIC',
    values: namesOf(field, values),
  }));
}

/** A post in a few words. */
export type BriefPost = ReturnType<ReturnType<typeof viewBriefly>>;

/** Gives what describes a post in a few words. */
export function viewBriefly(statuses: readonly StatusRow[]) {
  const viewOf = statusViewOf(statuses);
  return (post: PostRow) => {
    const status = statuses.find(({ id }) => id === post.status_id);
    const { number, title, upvotes: votes } = post;
    const view = { number, title, votes, path: postPath(post), isHeld: isHeld(post.moderation_status) };
    return { ...view, status: status ? viewOf(status) : null };
  };
}

/** Comparing a post with all others takes longer than the rest of its page, and the result hardly changes. */
const known = new LRUCache<string, readonly Known[]>({ max: 5_000, ttl: 10 * MINUTE_MS });
const KEPT = 6;

/** A post that is like another: the words that both have, and whether both are probably about the same. */
type Known = { id: string; matched: readonly string[]; isLikelySame: boolean };
export type Alike = PostRow & Pick<Known, 'matched' | 'isLikelySame'>;

/** The posts most like one, as far as the viewer may see them; no merged ones. */
export async function listSimilar({ visit: { db }, context }: View, post: PostRow): Promise<Alike[]> {
  const { board, actor } = context;
  const key = `${post.id} ${post.date_updated} ${viewerScopeOf(actor)}`;
  let alike = known.get(key);
  if (!alike) {
    const text = (await findDescription(db.read, post))?.text ?? null;
    const similar = await findSimilar(context, { title: post.title, text, exceptId: post.id }, KEPT);
    alike = similar.map(({ post: { id }, matched, isLikelySame }) => ({ id, matched, isLikelySame }));
    known.set(key, alike);
  }
  const ids = alike.map(({ id }) => id);
  const posts = new Map((await findPosts(db.read, board.id, ids, actor)).map((each) => [each.id, each]));
  return alike.flatMap((each) => {
    const row = posts.get(each.id);
    return row && row.merged_into_id === null ? [{ ...row, ...each }] : [];
  });
}
