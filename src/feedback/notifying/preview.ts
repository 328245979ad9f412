import { requireRight } from '../../identity/users/authority.ts';
import { mailBrandOf } from '../../identity/users/mail-brand.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { languages } from '../../platform/catalogues.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { type MailPreview, renderPreview } from '../../platform/mail/preview.ts';
import { msg } from '../../platform/messages.ts';
import { textForMail } from '../../platform/texts/mail-text.ts';
import { requireText, requireTextOr } from '../../platform/texts/text.ts';
import { COMMENT_TEXT } from '../comments/comments.ts';
import { kinds, REASONS } from '../notices/kinds.ts';
import { type Audience, reasonsFor } from '../notices/notices.ts';
import { findPost, POST_TEXT, type PostRow } from '../posts/posts.ts';
import { listStatuses } from '../statuses/statuses.ts';
import { seesStatus } from '../visibility/posts.ts';
import { type Change, composePostMail, moveOf } from './composing.ts';

/** A change to a post that has not been made yet, as submitted by a form. */
export type DraftChange =
  | { kind: 'STATUS'; statusId: string; text: string | null }
  | { kind: 'OFFICIAL'; text: string };

/** The language in which a mail is shown, and its audience: the users that the change would notify. */
export type PreviewOptions = { language: string; audience?: Audience | undefined };

/**
 * The mail that would notify followers of a change, composed by the same code as those that are sent. Writes nothing.
 * @throws FORBIDDEN, NOT_FOUND, BAD_REQUEST as the change would
 */
export async function previewMail(
  context: ActorContext,
  cipher: Cipher,
  postId: string,
  draft: DraftChange,
  { language, audience }: PreviewOptions,
): Promise<MailPreview> {
  const { db, board, baseUrl, actor, clock } = context;
  requireRight(actor, draft.kind === 'STATUS' ? 'post.status' : 'comment.official');
  const post = await findPost(db.read, board.id, postId, actor);
  if (!post) throw notFound('Post');
  const change = await describeDraft(context, post, draft);
  // Without an id, the links of the mail grant nothing.
  const user = { ...actor, id: '', locale: languages.includes(language) ? language : board.locale };
  const composing = { board, brand: mailBrandOf(board, baseUrl), baseUrl, cipher, user, dateVoted: clock.now() };
  const reasons = reasonsFor(kinds[draft.kind].recipients, audience);
  // The author is one, and the others are many.
  const mail = { ...change, reasons: reasons & ~REASONS.WROTE || reasons };
  return renderPreview(composePostMail(composing, { post, changes: [mail] }));
}

async function describeDraft(
  { db, board, actor }: ActorContext,
  post: PostRow,
  draft: DraftChange,
): Promise<Omit<Change, 'reasons'>> {
  const change = { kind: draft.kind, by: actor.name, source: null, entry: null };
  if (draft.kind === 'OFFICIAL') {
    return { ...change, text: textForMail(requireText(draft.text, COMMENT_TEXT)), move: null };
  }
  const statuses = await listStatuses(db.read, board.id);
  const from = statuses.find(({ id }) => id === post.status_id);
  const to = statuses.find(({ id, type }) => id === draft.statusId && type !== 'MERGED');
  if (!from || !to) throw notFound('Status');
  if (from === to) throw badRequest(msg('noticesStatusSame'), 'status');
  const text = requireTextOr(draft.text, POST_TEXT);
  return {
    ...change,
    text: text === null ? null : textForMail(text),
    move: moveOf({ from: seesStatus(null, from) ? from : null, to }),
  };
}
