import { createEntry } from '../../feedback/changelog/writing.ts';
import { findIssues, type IssueLinkRow, setLink } from '../../feedback/issues/issues.ts';
import { lockPosts } from '../../feedback/lifecycle/merging.ts';
import { changePostStatus } from '../../feedback/lifecycle/moving.ts';
import type { PostRow } from '../../feedback/posts/posts.ts';
import { listStatuses } from '../../feedback/statuses/statuses.ts';
import type { ActorContext, RequestContext } from '../../identity/users/request-context.ts';
import { findUserById } from '../../identity/users/users.ts';
import { translate } from '../../platform/catalogues.ts';
import { type Tx, withinTransaction } from '../../platform/db/db.ts';
import { locked } from '../../platform/db/prepare.ts';
import { HOUR_MS } from '../../platform/lib/clock.ts';
import { msg } from '../../platform/messages.ts';
import { cutText, fitLine } from '../../platform/texts/text.ts';
import { actAs } from '../acting.ts';
import { type TrackerKind, trackerNames } from './kinds.ts';
import type { Issue, Release } from './product.ts';
import type { TrackerRow } from './trackers.ts';

/** The users that stand for trackers in *Activity*. */
const BY_TRACKER = 'earshot-tracker';
const MAX_TITLE = 300;
/** How far the clock of a tracker may be ahead. */
const CLOCKS_DIFFER_MS = HOUR_MS;

/**
 * Takes over how an issue is now, to every idea that is linked to it. What is older than what is known changes nothing, so
 * that reports may come late, twice and in any order.
 * @param isCurrent whether the tracker was just asked, so that it counts also if its time is the known one
 */
export async function takeIssue(
  context: RequestContext,
  tracker: TrackerRow,
  issue: Issue,
  isCurrent: boolean,
): Promise<void> {
  const now = context.clock.now();
  // A time to come would hide all that follows.
  const dateChanged = issue.dateChanged > now + CLOCKS_DIFFER_MS ? now : issue.dateChanged;
  for (const { id, post_id } of await findLinks(context, tracker, [issue.issue])) {
    await withLink(context, post_id, id, async (tx, inside, link, post) => {
      if (dateChanged < link.date_changed) return;
      const isSame = dateChanged === link.date_changed;
      // Its time has seconds: the tracker is asked which of two states of one second is the later one.
      if (isSame && !isCurrent) return isUnlike(link, issue) ? setLink(tx, link, { is_read: 0 }) : undefined;
      const { url, state } = issue;
      const date_changed = dateChanged;
      const read = isCurrent || link.is_read === 1;
      const set = { url, title: fitLine(issue.title, MAX_TITLE), state, date_changed, is_read: read ? 1 : 0 } as const;
      // What was completed before it was linked is no news: the team is asked, whatever the rule.
      const rule = link.state === null && tracker.rule === 'COMPLETE' ? 'ASK' : tracker.rule;
      if (state === 'COMPLETED' && link.state !== 'COMPLETED')
        return end(tx, inside, { ...tracker, rule }, { ...link, ...set }, post);
      const isReopened = link.state === 'COMPLETED' && state !== 'COMPLETED';
      await setLink(tx, link, { ...set, ...(isReopened && { asks: 0, release: null, date_opened: date_changed }) });
    });
  }
}

function isUnlike(link: IssueLinkRow, issue: Issue): boolean {
  return link.state !== issue.state || link.title !== fitLine(issue.title, MAX_TITLE);
}

/** Takes over that a release was published with an issue: the first one that names it since it was linked. */
export async function takeRelease(context: RequestContext, tracker: TrackerRow, release: Release): Promise<void> {
  const isKnown = (link: Pick<IssueLinkRow, 'release' | 'date_opened'>) =>
    link.release !== null || release.datePublished < link.date_opened;
  for (const found of await findLinks(context, tracker, release.issues)) {
    // Every look lists the newest releases once more.
    if (isKnown(found)) continue;
    await withLink(context, found.post_id, found.id, async (tx, inside, link, post) => {
      if (isKnown(link)) return;
      // Notes name issues also as known ones, or as reverted: of one that is not done the team is asked.
      const rule = tracker.rule === 'COMPLETE' && link.state !== 'COMPLETED' ? 'ASK' : tracker.rule;
      await end(tx, inside, { ...tracker, rule }, { ...link, release: fitLine(release.name, MAX_TITLE) }, post);
    });
  }
}

async function findLinks({ db, board }: RequestContext, tracker: TrackerRow, issues: readonly string[]) {
  if (issues.length === 0) return [];
  const columns = ['id', 'post_id', 'release', 'date_opened'] as const;
  const query = db.read.selectFrom('issue_links').select(columns).where('board_id', '=', board.id);
  const own = query.where('tracker_id', '=', tracker.id).where('is_removed', '=', 0);
  return own.where('issue', 'in', issues).execute();
}

type Work = (tx: Tx, context: RequestContext, link: IssueLinkRow, post: PostRow | undefined) => Promise<unknown>;

/** Works on a link and the post that its own was merged into, both locked: posts first, as all who change them do. */
async function withLink(context: RequestContext, postId: string, id: string, work: Work): Promise<void> {
  const { db, board } = context;
  await db.transaction(async (tx) => {
    const own = (await lockPosts(tx, board.id, [postId])).get(postId);
    const rootId = own?.merged_root_id;
    const post = rootId ? (await lockPosts(tx, board.id, [rootId])).get(rootId) : own;
    const query = tx.selectFrom('issue_links').selectAll().where('board_id', '=', board.id).where('id', '=', id);
    const link = await locked(tx, query).executeTakeFirst();
    const isThere = post?.date_deleted === null;
    if (link?.is_removed === 0)
      await work(tx, { ...context, db: withinTransaction(db, tx) }, link, isThere ? post : undefined);
  });
}

/** An issue is done, or released: the rule of its tracker says what follows for the idea. */
async function end(
  tx: Tx,
  context: RequestContext,
  { kind, rule }: TrackerRow,
  link: IssueLinkRow,
  post: PostRow | undefined,
): Promise<void> {
  const { title, url, state, date_changed, is_read, release } = link;
  const completed = (await listStatuses(tx, context.board.id)).find(({ type }) => type === 'COMPLETED');
  const isOpen = post !== undefined && post.status_id !== completed?.id;
  const asks = rule === 'ASK' && post !== undefined && (isOpen || release !== null) ? 1 : 0;
  await setLink(tx, link, { title, url, state, date_changed, is_read, release, asks });
  if (rule !== 'COMPLETE' || !post) return;
  const acting = await actAsTracker(context, kind);
  if (isOpen) await changePostStatus(acting, post.id, { statusType: 'COMPLETED' });
  // Several issues of an idea may be in one release.
  const others = release === null ? [] : (await findIssues(tx, post)).filter(({ id }) => id !== link.id);
  if (release !== null && !others.some((other) => other.release === release)) await draftEntry(acting, post, release);
}

/** The tracker itself, as *Activity* names it. */
function actAsTracker(context: RequestContext, kind: TrackerKind): Promise<ActorContext> {
  return actAs(context, { ssoType: BY_TRACKER, ssoId: kind.toLowerCase() }, trackerNames[kind]);
}

/** Writes a draft of a changelog entry about an idea that was released, for the team to complete and publish. */
export async function draftEntry(context: ActorContext, post: PostRow, release: string): Promise<string> {
  const { db, board } = context;
  const author = post.author_id ? await findUserById(db.read, board.id, post.author_id) : null;
  const asked = author?.name ? msg('trackerAskedBy', author.name, post.upvotes) : msg('trackerVotes', post.upvotes);
  const text = [post.excerpt ?? '', `*${translate(board.locale, asked.parts)}*`, release].filter(Boolean).join('\n\n');
  const { id } = await createEntry(context, { title: post.title, text: cutText(text, 20_000), postIds: [post.id] });
  return id;
}
