import { lazy, Suspense, useState } from 'react';
import { Link, useActionData, useLoaderData } from 'react-router';
import { Answer, Discussion } from '../comments/discussion.tsx';
import { CommentForm } from '../comments/form.tsx';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { Versions } from '../parts/forms/versions.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Byline } from '../parts/show/byline.tsx';
import { FileList } from '../parts/texts/file-list.tsx';
import { MarkdownArea, PreviewButton } from '../parts/texts/markdown-area.tsx';
import { Prose } from '../parts/texts/prose.tsx';
import { useNow } from '../posts/live.ts';
import { MayWrite } from '../posts/may-write.tsx';
import { Pinned } from '../posts/row.tsx';
import { Tag } from '../posts/tag.tsx';
import { VoteButton } from '../posts/votes/vote-button.tsx';
import type { actOnPost } from './acting.ts';
import { ActsLine } from './acts.tsx';
import type { PostPage, ShownPost } from './page.ts';
import { TeamWrite } from './team.tsx';

/** The post of the route. */
export function usePost(): ShownPost {
  const post = useLoaderData<PostPage>();
  const answer = formAnswerOf(useActionData<typeof actOnPost>());
  return { post, answer, preview: answer?.preview ?? null };
}

/** What a post tells: its text, its answer, the discussion, and the form to take part. */
export function Story(shown: ShownPost) {
  const { post, answer } = shown;
  const isStatic = useIsStatic();
  return (
    <>
      <article className="post">
        <VoteButton post={post} />
        {post.source === null ? <Body post={post} /> : <EditPost post={post} source={post.source} answer={answer} />}
      </article>
      {post.discussion.answer && <Answer comment={post.discussion.answer} post={post} answer={answer} />}
      <Discussion {...shown} />
      {!isStatic && <Write {...shown} />}
      <News post={post} />
    </>
  );
}

const NewComments = lazy(async () => ({ default: (await import('./new-comments.tsx')).NewComments }));

/** How many comments others have written since the page was loaded; what shows it is loaded with the first of them. */
function News({ post }: { post: PostPage }) {
  const now = useNow(post);
  const count = now.comments - post.comments + now.hiddenComments - post.hiddenComments;
  const [isNeeded, setNeeded] = useState(false);
  if (count > 0 && !isNeeded) setNeeded(true);
  return (
    <div role="status" className="new-comments">
      <Suspense>{isNeeded && <NewComments post={post} count={count} />}</Suspense>
    </div>
  );
}

/** Maximum number of tags below the title; the panel has all. */
const SHOWN_TAGS = 5;

/** The title and the text of a post. */
function Body({ post }: { post: PostPage }) {
  const board = useBoard();
  const l = useLocale();
  const hidden = post.tags.length - SHOWN_TAGS;
  return (
    <>
      <div className="post-head">
        <h1 dir="auto">{post.title}</h1>
        <p className="meta">
          {post.isPinned && <Pinned />}
          <Byline author={post.author} date={post.date} />
          {post.tags.slice(0, SHOWN_TAGS).map((tag) => (
            <Link key={tag.id} className="tag" to={`/b/${board?.pid}?show=all&tag=${encodeURIComponent(tag.slug)}`}>
              <Tag {...tag} />
            </Link>
          ))}
          {hidden > 0 && <span>{m.moreTags(l, { count: hidden })}</span>}
        </p>
      </div>
      <ActsLine post={post} />
      <div className="post-body stack">
        {post.html && <Prose html={post.html} />}
        <FileList files={post.discussion.filesOfPost} />
        {post.closed === 'locked' && <p className="muted small">{m.voteLocked(l)}</p>}
      </div>
    </>
  );
}

/** The form for a comment, or why there is none. */
function Write(shown: ShownPost) {
  const { post } = shown;
  const l = useLocale();
  return (
    <section className="write" aria-label={m.writeComment(l)}>
      {post.closed ? (
        <p className="muted">{post.closed === 'merged' ? m.commentsMerged(l) : m.commentsLocked(l)}</p>
      ) : (
        <MayWrite {...post} signIn={m.signInFirstToComment(l)}>
          {post.rights.internal ? (
            <TeamWrite {...shown} />
          ) : (
            <CommentForm {...shown} intent="comment" label={m.yourComment(l)} send={m.sendComment(l)} shortcut="c" />
          )}
        </MayWrite>
      )}
    </section>
  );
}

/** The form to change the title and the text of a post. */
function EditPost({ post, source, answer }: { post: PostPage; source: string; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="edit" action="?edit=post">
      <input type="hidden" name="form" value="edit" />
      <h1 className="visually-hidden">{m.editIdea(l)}</h1>
      <Versions of={post.textVersions} labels={{ title: m.ideaTitle(l), comment: m.ideaText(l) }} />
      <TextField
        name="title"
        label={m.ideaTitle(l)}
        defaultValue={post.title}
        maxLength={post.lengths.title}
        required
      />
      <MarkdownArea name="comment" label={m.ideaText(l)} defaultValue={source} rows={8} hasPreview />
      <div className="row">
        <Submit>{m.save(l)}</Submit>
        <PreviewButton />
        <Link to="?">{m.cancel(l)}</Link>
      </div>
    </PageForm>
  );
}
