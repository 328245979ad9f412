import { type ActionFunctionArgs, data, redirect } from 'react-router';
import type { CommentRow } from '#src/feedback/comments/comments.ts';
import { createComment } from '#src/feedback/comments/writing.ts';
import { deletePost } from '#src/feedback/lifecycle/deleting.ts';
import type { PostRow } from '#src/feedback/posts/posts.ts';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { deriveId, isId, makeId } from '#src/platform/lib/ids.ts';
import { COMMENTS } from '../comments/discussion.ts';
import { reactTo } from '../comments/reacting.ts';
import { addQuery, parseNext } from '../lib/next.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { orFormAnswer, readFormWithFiles } from '../parts/requests/forms.ts';
import { countChange, findParticipant, openView, takePart } from '../parts/requests/joining.ts';
import { requireSignedIn } from '../parts/requests/member.ts';
import type { Done } from '../parts/requests/toasts.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { takeFiles } from '../parts/requests/uploads.ts';
import { doWithPost, notifyingOf } from '../posts/actions.ts';
import { postPath } from '../posts/posts.ts';
import { previewForm } from '../posts/preview.ts';
import { filterOfReferrer } from '../posts/team/desk.ts';
import { withQuery } from '../posts/team/query.ts';
import { isTriageView } from '../posts/triage-views.ts';
import { findPost } from './page.ts';
import { viewAssignees, viewText } from './view.ts';

/** Does what a form on the page of a post asks for, wherever the post is shown. */
export async function actOnPost(args: ActionFunctionArgs) {
  const view = await openView(args);
  const post = await findPost(view, args.params.number);
  const { form, files } = await readFormWithFiles(args.request.clone(), 'file');
  const home = `/b/${view.context.board.pid}`;
  const place = placeOf(args, home, form);
  if (form.intent === 'preview') return previewForm(view, post, form);
  return orFormAnswer(form, async () => {
    if (/^(comment$|note$|reply:)/.test(form.intent ?? '')) {
      const { id, done, notice } = await comment(args, post, form, files);
      const there = withUndo(view.visit, addQuery(place(post), `done=${done}`));
      // What can be stopped stands at the head of the page, and so does the newest official answer.
      throw redirect(notice === null ? `${there}#comment-${id}` : `${there}&notice=${notice}`);
    }
    const participant = await findParticipant(args);
    if (!participant) {
      await requireSignedIn(args);
      throw new Response(null, { status: 403 });
    }
    const { visit, context } = participant;
    await countChange(participant);
    if (form.intent === 'react') return reactTo(context, form);
    if (form.intent === 'delete') {
      await orErrorPage(deletePost(context, post.id));
      const deleted = isTriageView(args.params.view)
        ? addQuery(place(null), 'done=ideaDeleted')
        : `${home}?deleted=${post.id}`;
      throw redirect(withUndo(visit, deleted));
    }
    const sourceOf = async (text: string) => (await viewText(view, text)).source;
    const namesOfAssignees = async () => (await viewAssignees(view, post)).assignees.map(({ name }) => name);
    const result = await doWithPost({ visit, context, post, form, sourceOf, namesOfAssignees });
    if (!result) throw new Response(null, { status: 400 });
    if ('errors' in result) return data(result, { status: 409 });
    const changed = await findPostByNumber(visit.db.read, context.board.id, post.number, context.actor);
    const anchor = result.anchor ? `#${result.anchor}` : '';
    const notice = result.notice ? `&notice=${result.notice}` : '';
    // What the team did is undone as an operation.
    const deleted = result.deleted && !visit.operation.isRecorded ? `&deleted=${result.deleted}` : '';
    const there = `${addQuery(place(changed), `done=${result.done}${notice}${deleted}`)}${anchor}`;
    throw redirect(withUndo(visit, isTriageView(args.params.view) ? there : (parseNext(form.next) ?? there)));
  });
}

/** Where a post is after a form: on its own page, or in triage, where some forms lead on to the next post. */
function placeOf({ params, request }: ActionFunctionArgs, home: string, form: Record<string, string>) {
  const triage = `${home}/triage/${params.view}`;
  return (post: PostRow | null) => {
    if (!isTriageView(params.view)) return post ? `${home}/${postPath(post)}` : home;
    return parseNext(form.next) ?? withQuery(post ? `${triage}/${post.number}` : triage, filterOfReferrer(request));
  };
}

/** Writes a comment or a reply; that of an anonymous visitor is kept until they have signed in. */
async function comment(args: ActionFunctionArgs, post: PostRow, form: Record<string, string>, files: File[]) {
  const { text = '', formId = '', intent = '' } = form;
  const postId = post.id;
  const parentId = /^reply:(.+)$/.exec(intent)?.[1] ?? null;
  const id = isId(formId) ? deriveId(formId, postId, intent, text) : makeId();
  const type =
    intent === 'note' || form.type === 'INTERNAL' ? 'INTERNAL' : form.type === 'OFFICIAL' ? 'OFFICIAL' : null;
  // Of a member of the team who was signed out. As a draft it would become a comment that everyone sees.
  if (type !== null && !(await findParticipant(args))) await requireSignedIn(args);
  const participant = await takePart(args, { kind: 'comment', id, postId, parentId, text });
  const { context } = participant;
  // Its mails can be stopped; a form that is sent twice has one notice.
  const notice = type === 'OFFICIAL' ? deriveId(id, 'notice') : null;
  const notifying = notice === null ? undefined : notifyingOf(form, notice);
  const kept = await takeFiles(participant, form, files);
  const made = await createComment(context, postId, { id, text, parentId, type, notifying, files: kept });
  return { id: made.id, done: doneOf(post, made), notice };
}

/** What became of a comment: whether others see it, and whether the page that comes now does. */
function doneOf(post: PostRow, { type, moderation_status }: CommentRow): Done {
  if (isHeld(moderation_status)) return 'commentHeld';
  if (type === 'INTERNAL') return 'commentInternal';
  return post.comment_count < COMMENTS ? 'commented' : 'commentElsewhere';
}
