import type { IncomingHttpHeaders } from 'node:http';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { takeIssue, takeRelease } from './taking-in.ts';
import { decryptTracker, products } from './trackers.ts';

/** A request that claims to come from a tracker. */
export type TrackerRequest = { headers: IncomingHttpHeaders; body: Buffer };

/**
 * Takes over what a request of a tracker says. What is lost on the way is read from the tracker later.
 * @returns how many issues and releases it names
 * @throws NOT_FOUND without such a tracker; UNAUTHENTICATED if its secret has not signed it; BAD_REQUEST
 */
export async function hearTracker(
  context: RequestContext,
  cipher: Cipher,
  trackerId: string,
  { headers, body }: TrackerRequest,
): Promise<number> {
  const { db, board, clock } = context;
  const query = db.read.selectFrom('trackers').selectAll().where('board_id', '=', board.id);
  const tracker = await query.where('id', '=', trackerId).executeTakeFirst();
  if (!tracker) throw notFound('Tracker');
  const product = products[tracker.kind];
  if (!product.verify(headers, body, decryptTracker(tracker, cipher).secret))
    throw new AppError('UNAUTHENTICATED', 'The signature does not match: is its secret that of the webhook?');
  const news = product.parseNews(headers, body, clock.now());
  // A webhook of an organization or a group tells of all its projects.
  if (news?.projectKey !== tracker.project_key) return 0;
  for (const issue of news.issues) await takeIssue(context, tracker, issue, false);
  for (const release of news.releases) await takeRelease(context, tracker, release);
  if (news.unclear.length > 0)
    await db.transaction(async (tx) => {
      const links = tx.updateTable('issue_links').set({ is_read: 0 }).where('board_id', '=', board.id);
      await links.where('tracker_id', '=', tracker.id).where('issue', 'in', news.unclear).execute();
      tx.notify('issues');
    });
  return news.issues.length + news.unclear.length + news.releases.length;
}
