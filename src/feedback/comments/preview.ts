import type { RequestContext } from '../../identity/users/request-context.ts';
import { forbidden } from '../../platform/errors.ts';
import { networkOf } from '../../platform/lib/ip.ts';
import { requireText } from '../../platform/lib/text.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import { type PostRow, requireOpen } from '../posts/posts.ts';
import { COMMENT_TEXT } from './comments.ts';

/** Who requests a preview: the account or user that has signed in, and the network. */
export type Previewer = { previewerId: string | null; address: string };

/**
 * A preview of a comment, as it would be stored, for a viewer who could post it.
 * @throws FORBIDDEN for anonymous viewers, CONFLICT where comments are closed, BAD_REQUEST, RATE_LIMIT_EXCEEDED
 */
export async function requirePreview(
  { db, clock }: RequestContext,
  { previewerId, address }: Previewer,
  post: PostRow,
  text: string,
): Promise<string> {
  if (previewerId === null) throw forbidden(msg`Sign in to see a preview; your text stays here`);
  requireOpen(post);
  const parsed = requireText(text, COMMENT_TEXT);
  await countPreview({ db, clock }, previewerId, address);
  return parsed;
}

/** Counts a preview. @throws RATE_LIMIT_EXCEEDED */
export async function countPreview(
  { db, clock }: Pick<RequestContext, 'db' | 'clock'>,
  previewerId: string,
  address: string,
): Promise<void> {
  await countAttempt(db, clock, 'previews of', previewerId);
  await countAttempt(db, clock, 'previews from', networkOf(address));
}
