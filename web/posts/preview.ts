import { type PreviewedText, requirePreview } from '#src/feedback/comments/preview.ts';
import { type DraftChange, previewMail } from '#src/feedback/notifying/preview.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import { renderMarkdown } from '#src/pages/rendering.ts';
import type { MailPreview } from '#src/platform/mail/preview.ts';
import { type FormAnswer, orFormAnswer } from '../parts/requests/forms.ts';
import type { View } from '../parts/requests/joining.ts';
import { audienceOf } from './actions.ts';

type Form = Record<string, string>;

/** Previews what a form of a post would do; `form` in it is the intent that it has when it is sent. */
export function previewForm(view: View, post: PostRow, sent: Form) {
  const form = { ...sent, intent: sent.form ?? '' };
  return orFormAnswer(form, async (): Promise<FormAnswer> => {
    const html = form.intent === 'status' ? null : await previewText(view, textOf(post, form));
    const mail = await previewMailOf(view, post, form);
    return { errors: {}, message: null, values: form, preview: { html, mail } };
  });
}

/** What the form writes: a description, or a comment; the text of one that is there may be changed on a closed post. */
function textOf(post: PostRow, { intent = '', text = '', comment = '' }: Form): PreviewedText {
  if (intent === 'edit') return { post, text: comment, isComment: false };
  return { post, text, isComment: !intent.startsWith('edit-comment:') };
}

/** What a text would look like, for who could send it. */
export async function previewText({ visit, context }: View, text: PreviewedText): Promise<string> {
  const { address } = visit;
  const previewerId = (await visit.access.current())?.account.id ?? context.actor?.id ?? null;
  return renderMarkdown(await requirePreview(context, { previewerId, address }, text));
}

/** The mail of a change of which followers are notified as the team says; null of others. */
async function previewMailOf({ visit, context }: View, post: PostRow, form: Form): Promise<MailPreview | null> {
  const draft = draftOf(form);
  const actor = await visit.people.on(context.board);
  if (!draft || !actor) return null;
  const options = { language: form.language ?? context.board.locale, audience: audienceOf(form) };
  return previewMail({ ...context, actor }, visit.sender.cipher, post.id, draft, options);
}

function draftOf(form: Form): DraftChange | null {
  if (form.intent === 'status') {
    return { kind: 'STATUS', statusId: form.status ?? '', text: form.comment?.trim() ? form.comment : null };
  }
  return form.type === 'OFFICIAL' ? { kind: 'OFFICIAL', text: form.text ?? '' } : null;
}
