import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from 'react-router';
import { findDescription } from '#src/feedback/comments/comments.ts';
import { createComment } from '#src/feedback/comments/writing.ts';
import { deletePost } from '#src/feedback/lifecycle/deleting.ts';
import type { NoticeKind } from '#src/feedback/notices/kinds.ts';
import { areHeld } from '#src/feedback/notices/stopping.ts';
import { countAudience } from '#src/feedback/notifying/audience.ts';
import { listExpectable } from '#src/feedback/posts/expected.ts';
import { findPostByNumber, POST_TEXT, POST_TITLE, type PostRow } from '#src/feedback/posts/posts.ts';
import { listStatuses, type StatusRow } from '#src/feedback/statuses/statuses.ts';
import { findSubscriptions } from '#src/feedback/subscriptions/subscriptions.ts';
import { findTagsOfPosts } from '#src/feedback/tags/tagging.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { isBlocked } from '#src/identity/users/authority.ts';
import { mayBegin } from '#src/identity/users/entry.ts';
import { renderMarkdown } from '#src/pages/rendering.ts';
import { deriveId, isId, makeId } from '#src/platform/lib/ids.ts';
import { asTyped, mentionedIn, nameMentions } from '#src/platform/texts/mentions.ts';
import { makeSlug } from '#src/platform/texts/text.ts';
import { viewShipped } from '../changelog/entries.ts';
import { viewDiscussion } from '../comments/discussion.ts';
import { parseNext } from '../lib/next.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import { type FormAnswer, type FormPreview, orFormAnswer, readFormWithFiles } from '../parts/requests/forms.ts';
import { countChange, findParticipant, openView, takePart, type View } from '../parts/requests/joining.ts';
import { requireSignedIn } from '../parts/requests/member.ts';
import { peopleOf } from '../parts/requests/people.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { takeFiles } from '../parts/requests/uploads.ts';
import { doWithPost, notifyingOf, reactTo } from '../posts/actions.ts';
import { postPath, viewPosts } from '../posts/posts.ts';
import { previewForm } from '../posts/preview.ts';
import { hueOfTag } from '../posts/tags.ts';
import { isTriageView } from '../posts/triage-views.ts';
import { findSource, requireOwnAddress } from './address.ts';
import { describePost } from './head.ts';
import { viewMergeTargets } from './merge-targets.ts';
import { viewPanel } from './panel.ts';
import { viewSteps } from './steps.ts';
import { givenStatuses, rightsOn, viewAssignees, viewAuthorStanding, viewTarget } from './view.ts';

/** The page of a post, and the post in triage. */
export async function loadPost(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { db } = view.visit;
  const { board, actor } = view.context;
  const post = await findPost(view, args.params.number);
  if (!isTriageView(args.params.view)) await requireOwnAddress(view, args, post);
  const statuses = await listStatuses(db.read, board.id);
  const [shown] = await viewPosts(view, [post], statuses);
  if (!shown) throw new Response(null, { status: 404 });
  const search = args.url.searchParams;
  const edit = search.get('edit');
  const order = search.get('comments') === 'newest' ? ('NEWEST' as const) : ('OLDEST' as const);
  const row = await findDescription(db.read, post);
  const description = row && (await viewText(view, row.text));
  const tags = (await findTagsOfPosts(db.read, board.id, [post.id], actor)).get(post.id) ?? [];
  const rights = rightsOn(view, post);
  const own = actor && { boardId: board.id, userId: actor.id, postIds: [post.id] };
  const follows = own ? await findSubscriptions(db.read, own) : [];
  const isSignedIn = await view.visit.people.areSignedIn(board);
  const { changes, ...discussion } = await viewDiscussion(view, post, statuses, {
    order,
    after: search.get('after'),
    whole: search.get('show'),
    edit,
  });
  return {
    ...shown,
    head: await describePost(view, post, shown, statuses),
    from: await findSource(view, args.url, post),
    order,
    rights,
    authorStanding: await viewAuthorStanding(view, post),
    html: description?.html ?? null,
    source: edit === 'post' && rights.edit ? (description?.source ?? '') : null,
    isFollowed: follows.length > 0,
    isSignedIn,
    mayWrite: !view.visit.isStatic && !isBlocked(actor) && (isSignedIn || mayBegin(board)),
    isBlocked: isBlocked(actor),
    isRejected: post.moderation_status === 'REJECTED',
    tags: tags.map((tag) => ({ id: tag.id, name: tag.name, slug: makeSlug(tag.name), hue: hueOfTag(tag) })),
    target: await viewTarget(view, post),
    shipped: await viewShipped(view, post),
    statusId: post.status_id,
    expectable: rights.status ? viewExpectable(view, post) : [],
    statuses: rights.status ? givenStatuses(statuses) : [],
    audiences: rights.status ? await viewAudiences(view, post) : null,
    mailLocale: board.locale,
    notice: rights.status ? await findHeld(view, search.get('notice') ?? '') : null,
    allTags: rights.tags ? (await listTags(db.read, board.id, actor)).map(({ id, name }) => ({ id, name })) : [],
    formId: makeId(),
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    discussion,
    steps: viewSteps(actor, post, statuses, changes),
    panel: await viewPanel(view, post, statuses),
    ...(await viewAssignees(view, post)),
    merge: await viewMerge(view, post, search.get('merge') ?? (isTriageView(args.params.view) ? '' : null), statuses),
  };
}

/** When the post can be expected, with the time that it has already. */
function viewExpectable({ visit }: View, { expected }: PostRow): string[] {
  const times = listExpectable(visit.clock.now());
  return expected === null || times.includes(expected) ? times : [expected, ...times];
}

/** The notice whose mails can still be stopped. */
async function findHeld({ context }: View, id: string): Promise<string | null> {
  return (await areHeld(context, id)) ? id : null;
}

/** The posts that this one can be merged into, if that is asked. */
async function viewMerge(view: View, post: PostRow, words: string | null, statuses: readonly StatusRow[]) {
  const isAsked = words !== null && rightsOn(view, post).merge && post.merged_into_id === null;
  return isAsked ? orErrorPage(viewMergeTargets(view, post, words, statuses)) : null;
}

/** How many users a change of the status or an official answer would notify, and how many a merge. */
async function viewAudiences({ visit, context }: View, post: PostRow) {
  const actor = await visit.people.on(context.board);
  if (!actor) return null;
  const count = (kind: NoticeKind) => countAudience({ ...context, actor }, post.id, kind);
  return { status: await count('STATUS'), merge: await count('MERGE') };
}

export type PostPage = Awaited<ReturnType<typeof loadPost>>;

/** A post that a route shows, and what became of a form of it. */
export type ShownPost = { post: PostPage; answer: FormAnswer | undefined; preview: FormPreview | null };

/** @throws an error page if there is none that the viewer may see */
async function findPost({ visit: { db }, context: { board, actor } }: View, number: string | undefined) {
  const post = await findPostByNumber(db.read, board.id, Number(number), actor);
  if (!post) throw new Response(null, { status: 404 });
  return post;
}

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
      const { id, isHeld, notice } = await comment(args, post.id, form, files);
      const there = withUndo(view.visit, `${place(post)}?done=${isHeld ? 'commentHeld' : 'commented'}`);
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
      const deleted = isTriageView(args.params.view) ? `${place(null)}?done=ideaDeleted` : `${home}?deleted=${post.id}`;
      throw redirect(withUndo(visit, deleted));
    }
    const result = await doWithPost({ visit, context, post, form });
    if (!result) throw new Response(null, { status: 400 });
    const changed = await findPostByNumber(visit.db.read, context.board.id, post.number, context.actor);
    const anchor = result.anchor ? `#${result.anchor}` : '';
    const notice = result.notice ? `&notice=${result.notice}` : '';
    const there = `${place(changed)}?done=${result.done}${notice}${anchor}`;
    throw redirect(withUndo(visit, isTriageView(args.params.view) ? there : (parseNext(form.next) ?? there)));
  });
}

/** Where a post is after a form: on its own page, or in triage, where some forms lead on to the next post. */
function placeOf({ params }: ActionFunctionArgs, home: string, form: Record<string, string>) {
  const triage = `${home}/triage/${params.view}`;
  return (post: PostRow | null) => {
    if (!isTriageView(params.view)) return post ? `${home}/${postPath(post)}` : home;
    return parseNext(form.next) ?? (post ? `${triage}/${post.number}` : triage);
  };
}

/** Writes a comment or a reply; that of an anonymous visitor is kept until they have signed in. */
async function comment(args: ActionFunctionArgs, postId: string, form: Record<string, string>, files: File[]) {
  const { text = '', formId = '', intent = '' } = form;
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
  return { id: made.id, isHeld: isHeld(made.moderation_status), notice };
}

/** A text as HTML and as people type it, with the current names of the users that it mentions. */
async function viewText(view: View, text: string): Promise<{ html: string; source: string }> {
  const personOf = await peopleOf(view, mentionedIn(text));
  const nameOf = (id: string) => personOf(id)?.name;
  return { html: nameMentions(await renderMarkdown(text), nameOf), source: asTyped(text, nameOf) };
}
