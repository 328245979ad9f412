import '../styles/post.css';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { findDescription } from '#src/feedback/comments/comments.ts';
import { createComment } from '#src/feedback/comments/writing.ts';
import { deletePost } from '#src/feedback/lifecycle/editing.ts';
import { areHeld } from '#src/feedback/notices/notices.ts';
import { countAudience } from '#src/feedback/notifying/audience.ts';
import { findPostByNumber, POST_TEXT, POST_TITLE } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { findSubscriptions } from '#src/feedback/subscriptions/subscriptions.ts';
import { findTagsOfPosts } from '#src/feedback/tags/tagging.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { isBlocked } from '#src/identity/users/authority.ts';
import { mayBegin } from '#src/identity/users/entry.ts';
import { renderMarkdown } from '#src/pages/rendering.ts';
import { deriveId, isId, makeId } from '#src/platform/lib/ids.ts';
import { makeSlug } from '#src/platform/lib/text.ts';
import type { NoticeKind } from '../../src/feedback/notices/notices.ts';
import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { StatusRow } from '../../src/feedback/statuses/statuses.ts';
import * as m from '../i18n/messages.ts';
import { viewShipped } from '../lib/changelog.ts';
import { viewDiscussion } from '../lib/discussion.ts';
import { orErrorPage } from '../lib/failure.ts';
import { type FormAnswer, formAnswerOf, orFormAnswer, readFormWithFiles } from '../lib/forms.ts';
import { countChange, findParticipant, openView, takePart, type View } from '../lib/joining.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import { requireSignedIn } from '../lib/member.ts';
import { viewMergeTargets } from '../lib/merge-targets.ts';
import { parseNext } from '../lib/next.ts';
import { doWithPost, notifyingOf, reactTo } from '../lib/post-actions.ts';
import { findSource, requireOwnAddress } from '../lib/post-address.ts';
import { describePost } from '../lib/post-head.ts';
import { viewPanel } from '../lib/post-panel.ts';
import { type FormPreview, previewForm } from '../lib/post-preview.ts';
import { givenStatuses, rightsOn, viewAuthorStanding, viewTarget } from '../lib/post-view.ts';
import { postPath, viewPosts } from '../lib/posts.ts';
import { viewSteps } from '../lib/steps.ts';
import { hueOfTag } from '../lib/tags.ts';
import { withUndo } from '../lib/undo.ts';
import { takeFiles } from '../lib/uploads.ts';
import { Byline } from '../ui/byline.tsx';
import { CommentForm } from '../ui/comment-form.tsx';
import { Answer, Discussion } from '../ui/comments.tsx';
import { EditPost } from '../ui/edit-post.tsx';
import { FileList } from '../ui/file-list.tsx';
import { Icon } from '../ui/icon.tsx';
import { MayWrite } from '../ui/may-write.tsx';
import { PostNotes } from '../ui/post-notes.tsx';
import { PostPanel } from '../ui/post-panel.tsx';
import { Pinned } from '../ui/post-row.tsx';
import { Prose } from '../ui/prose.tsx';
import { Stepper } from '../ui/stepper.tsx';
import { Tag } from '../ui/tag.tsx';
import { TeamBar } from '../ui/team-bar.tsx';
import { VoteButton } from '../ui/vote.tsx';

export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { db } = view.visit;
  const { board, actor } = view.context;
  const post = await findPost(view, args.params.number);
  await requireOwnAddress(view, args, post);
  const statuses = await listStatuses(db.read, board.id);
  const [shown] = await viewPosts(view, [post], statuses);
  if (!shown) throw new Response(null, { status: 404 });
  const search = args.url.searchParams;
  const edit = search.get('edit');
  const order = search.get('comments') === 'newest' ? ('NEWEST' as const) : ('OLDEST' as const);
  const description = await findDescription(db.read, post);
  const tags = (await findTagsOfPosts(db.read, board.id, [post.id], actor)).get(post.id) ?? [];
  const rights = rightsOn(view, post);
  const own = actor && { boardId: board.id, userId: actor.id, postIds: [post.id] };
  const follows = own ? await findSubscriptions(db.read, own) : [];
  const isSignedIn = await view.visit.people.areSignedIn(board);
  const { changes, ...discussion } = await viewDiscussion(view, post, statuses, {
    ...{ order, after: search.get('after'), whole: search.get('show'), edit },
  });
  return {
    ...shown,
    head: await describePost(view, post, shown, statuses),
    from: await findSource(view, args.url, post),
    order,
    rights,
    authorStanding: await viewAuthorStanding(view, post),
    html: description ? await renderMarkdown(description.text) : null,
    source: edit === 'post' && rights.edit ? (description?.text ?? '') : null,
    isFollowed: follows.length > 0,
    isSignedIn,
    mayWrite: !isBlocked(actor) && (isSignedIn || mayBegin(board)),
    isBlocked: isBlocked(actor),
    isRejected: post.moderation_status === 'REJECTED',
    tags: tags.map((tag) => ({ id: tag.id, name: tag.name, slug: makeSlug(tag.name), hue: hueOfTag(tag) })),
    target: await viewTarget(view, post),
    shipped: await viewShipped(view, post),
    statusId: post.status_id,
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
    merge: await viewMerge(view, post, search.get('merge'), statuses),
  };
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

export type PostPage = Awaited<ReturnType<typeof loader>>;

/** @throws an error page if there is none that the viewer may see */
async function findPost({ visit: { db }, context: { board, actor } }: View, number: string | undefined) {
  const post = await findPostByNumber(db.read, board.id, Number(number), actor);
  if (!post) throw new Response(null, { status: 404 });
  return post;
}

export async function action(args: ActionFunctionArgs) {
  const view = await openView(args);
  const post = await findPost(view, args.params.number);
  const { form, files } = await readFormWithFiles(args.request.clone(), 'file');
  const home = `/b/${view.context.board.pid}`;
  if (form.intent === 'preview') return previewForm(view, post, form);
  return orFormAnswer(form, async () => {
    if (/^(comment|reply:)/.test(form.intent ?? '')) {
      const { id, isHeld, notice } = await comment(args, post.id, form, files);
      const done = `${home}/${postPath(post)}?done=${isHeld ? 'commentHeld' : 'commented'}`;
      const there = withUndo(view.visit, done);
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
      throw redirect(`${home}?deleted=${post.id}`);
    }
    const result = await doWithPost({ visit, context, post, form });
    if (!result) throw new Response(null, { status: 400 });
    const changed = await findPostByNumber(visit.db.read, context.board.id, post.number, context.actor);
    const anchor = result.anchor ? `#${result.anchor}` : '';
    const notice = result.notice ? `&notice=${result.notice}` : '';
    const there = changed ? `${home}/${postPath(changed)}?done=${result.done}${notice}${anchor}` : home;
    throw redirect(withUndo(visit, parseNext(form.next) ?? there));
  });
}

/** Writes a comment or a reply; that of an anonymous visitor is kept until they have signed in. */
async function comment(args: ActionFunctionArgs, postId: string, form: Record<string, string>, files: File[]) {
  const { text = '', formId = '', intent = '' } = form;
  const parentId = /^reply:(.+)$/.exec(intent)?.[1] ?? null;
  const id = isId(formId) ? deriveId(formId, postId, intent, text) : makeId();
  const participant = await takePart(args, { kind: 'comment', id, postId, parentId, text });
  const { context } = participant;
  const type = form.type === 'OFFICIAL' || form.type === 'INTERNAL' ? form.type : null;
  // Its mails can be stopped; a form that is sent twice has one notice.
  const notice = type === 'OFFICIAL' ? deriveId(id, 'notice') : null;
  const notifying = notice === null ? undefined : notifyingOf(form, notice);
  const kept = await takeFiles(participant, form, files);
  const made = await createComment(context, postId, { id, text, parentId, type, notifying, files: kept });
  return { id: made.id, isHeld: isHeld(made.moderation_status), notice };
}

export default function Post() {
  const post = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const answer = formAnswerOf(result);
  const preview = result && 'preview' in result ? result.preview : null;
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  return (
    <main id="main" className="page post-page">
      <Link className="back" to={`/b/${board.pid}`}>
        <Icon name="arrow-left" flips />
        {m.backToIdeas(l)}
      </Link>
      <PostNotes post={post} answer={answer} />
      <div className="post-columns">
        <div className="story">
          <Stepper steps={post.steps} />
          <article className="post">
            <VoteButton post={post} />
            {post.source === null ? (
              <Body post={post} />
            ) : (
              <EditPost post={post} source={post.source} answer={answer} />
            )}
          </article>
          {post.discussion.answer && <Answer comment={post.discussion.answer} post={post} answer={answer} />}
          <Discussion post={post} answer={answer} preview={preview} />
          <Write post={post} answer={answer} preview={preview} />
        </div>
        <PostPanel post={post} answer={answer} preview={preview} />
      </div>
      <TeamBar post={post} />
    </main>
  );
}

/** The title and the text of a post. */
function Body({ post }: { post: PostPage }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <>
      <div className="post-head">
        <h1 dir="auto">{post.title}</h1>
        <p className="meta">
          {post.isPinned && <Pinned />}
          <Byline author={post.author} date={post.date} />
          {post.tags.map((tag) => (
            <Link key={tag.id} className="tag" to={`/b/${board?.pid}?show=all&tag=${encodeURIComponent(tag.slug)}`}>
              <Tag {...tag} />
            </Link>
          ))}
        </p>
      </div>
      <div className="post-body stack">
        {post.html && <Prose html={post.html} />}
        <FileList files={post.discussion.filesOfPost} />
        {post.closed === 'locked' && <p className="muted small">{m.voteLocked(l)}</p>}
      </div>
    </>
  );
}

/** The form for a comment, or why there is none. */
function Write({
  post,
  answer,
  preview,
}: {
  post: PostPage;
  answer: FormAnswer | undefined;
  preview: FormPreview | null;
}) {
  const l = useLocale();
  return (
    <section className="write" aria-label={m.writeComment(l)}>
      {post.closed ? (
        <p className="muted">{post.closed === 'merged' ? m.commentsMerged(l) : m.commentsLocked(l)}</p>
      ) : (
        <MayWrite {...post} signIn={m.signInFirstToComment(l)}>
          <CommentForm post={post} intent="comment" answer={answer} preview={preview} />
        </MayWrite>
      )}
    </section>
  );
}
