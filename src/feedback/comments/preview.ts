import type { RequestContext, ViewerContext } from '../../identity/users/request-context.ts';
import { forbidden } from '../../platform/errors.ts';
import { networkOf } from '../../platform/http/ip.ts';
import { countAttempt } from '../../platform/limits/throttle.ts';
import { msg } from '../../platform/messages.ts';
import { requireText } from '../../platform/texts/text.ts';
import { POST_TEXT, type PostRow, requireOpen } from '../posts/posts.ts';
import { COMMENT_TEXT } from './comments.ts';
import { linkMentions } from './mentions.ts';

/** Who requests a preview: the account or user that has signed in, and the network. */
export type Previewer = { previewerId: string | null; address: string };

/** A text to preview: of a post that it comments on or describes; null for that of a new one. */
export type PreviewedText = { post: PostRow | null; text: string; isComment: boolean };

/**
 * A preview of a comment or a description, as it would be stored, for a viewer who could post it.
 * @throws FORBIDDEN for anonymous viewers, CONFLICT where comments are closed, BAD_REQUEST, RATE_LIMIT_EXCEEDED
 */
export async function requirePreview(
  context: ViewerContext,
  { previewerId, address }: Previewer,
  { post, text, isComment }: PreviewedText,
): Promise<string> {
  if (previewerId === null) throw forbidden(msg('commentPreviewSignIn'));
  if (post && isComment) requireOpen(post);
  const rule = isComment ? COMMENT_TEXT : POST_TEXT;
  const parsed = requireText(text, rule);
  await countPreview(context, previewerId, address);
  return linkMentions(context.db.read, context, { post, text: parsed, rule });
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
