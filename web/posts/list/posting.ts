import { type ActionFunctionArgs, redirect } from 'react-router';
import { createVotedPost } from '#src/feedback/drafts/posting.ts';
import { restorePost } from '#src/feedback/lifecycle/deleting.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { deriveId, isId, makeId } from '#src/platform/lib/ids.ts';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { type FormAnswer, orFormAnswer, readFormWithFiles } from '../../parts/requests/forms.ts';
import { countChange, findParticipant, openView, takePart, type View } from '../../parts/requests/joining.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { takeFiles } from '../../parts/requests/uploads.ts';
import { readIdeaFields } from '../idea-fields.ts';
import { postPath } from '../posts.ts';
import { previewText } from '../preview.ts';

/** Does what a form on the list asks for: it previews, posts or restores an idea. */
export async function actOnList(args: ActionFunctionArgs) {
  const view = await openView(args);
  const { form, files } = await readFormWithFiles(args.request.clone(), 'file');
  return orFormAnswer(form, async (): Promise<FormAnswer> => {
    if (form.intent === 'preview') return previewIdea(view, form);
    if (form.intent === 'restore') throw redirect(await restore(args, form.id ?? ''));
    const { title = '', comment = '', formId = '' } = form;
    const text = isUnwritten(view, comment) ? null : comment;
    const id = isId(formId) ? deriveId(formId, title, comment) : makeId();
    const properties = await readIdeaFields(view, form);
    const participant = await takePart(args, { kind: 'post', id, title, text, properties });
    const { context } = participant;
    const kept = await takeFiles(participant, form, files);
    const post = await createVotedPost(context, {
      id,
      title,
      comment: text,
      files: kept,
      properties,
      asksFields: 'ON_FORM',
    });
    const done = isHeld(post.moderation_status) ? 'held' : 'posted';
    throw redirect(reportDone(view.visit, `/b/${context.board.pid}/${postPath(post)}?done=${done}`));
  });
}

/** Whether nothing was written but what the form began with. */
function isUnwritten({ context: { board } }: View, text: string): boolean {
  return text.trim() === '' || text.replace(/\r\n/g, '\n').trim() === board.post_template;
}

/** What the text of a new idea would look like. */
async function previewIdea(view: View, form: Record<string, string>): Promise<FormAnswer> {
  const html = await previewText(view, { post: null, text: form.comment ?? '', isComment: false });
  return { errors: {}, message: null, values: form, preview: { html, mail: null } };
}

/** Restores an idea that was just deleted, and returns its URL. */
async function restore(args: ActionFunctionArgs, id: string): Promise<string> {
  const participant = await findParticipant(args);
  if (!participant) throw new Response(null, { status: 403 });
  const { visit, context } = participant;
  await countChange(participant);
  const post = await orErrorPage(restorePost(context, id));
  return reportDone(visit, `/b/${context.board.pid}/${postPath(post)}?done=saved`);
}
