import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { badRequest } from '../../platform/errors.ts';
import { DAY_MS } from '../../platform/lib/clock.ts';
import { msg } from '../../platform/messages.ts';
import { type PostRow, requirePostForChange, setPost } from '../posts/posts.ts';
import { recordPostChange } from '../posts/recording.ts';

/** How long a post can be snoozed. */
const MAX_SNOOZE_MS = 366 * DAY_MS;

/**
 * Changes from when on a post waits for the team: not at all (null), from now on, or from a later time on.
 * @throws BAD_REQUEST for a time that is too far ahead
 */
export async function setTriage(context: ActorContext, postId: string, from: number | null): Promise<PostRow> {
  requireRight(context.actor, 'post.status');
  const latest = context.clock.now() + MAX_SNOOZE_MS;
  const isTime = Number.isInteger(from) && from !== null && from > 0 && from <= latest;
  if (from !== null && !isTime) throw badRequest(msg('postSnoozedTooLong'), 'from');
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, postId);
    const after = { triage_date: from ?? 0 };
    await recordPostChange(tx, context, post, { triageDate: post.triage_date }, { triageDate: after.triage_date });
    return setPost(tx, post, after);
  });
}
