import { Link, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import type { FormPreview } from '../lib/post-preview.ts';
import type { CommentView, Thread } from '../lib/post-view.ts';
import type { PostPage } from '../routes/post.tsx';
import { Byline } from './byline.tsx';
import { CommentForm, useSent } from './comment-form.tsx';
import { FileList } from './file-list.tsx';
import { PageForm, Submit, TextArea } from './form.tsx';
import { History } from './history.tsx';
import { Prose } from './prose.tsx';

/** The newest official answer, above the discussion. */
export function Official({ comment }: { comment: CommentView }) {
  const l = useLocale();
  return (
    <section className="official stack" aria-labelledby="official">
      <h2 id="official">{m.officialAnswer(l)}</h2>
      <p className="meta">
        <Byline author={comment.author} date={comment.date} isTeam />
        <a href={`#comment-${comment.id}`}>{m.inDiscussion(l)}</a>
      </p>
      <CommentText comment={comment} />
      <FileList files={comment.files} />
    </section>
  );
}

type DiscussionProps = { post: PostPage; answer: FormAnswer | undefined; preview: FormPreview | null };

/** The comments on a post, and its history. */
export function Discussion({ post, answer, preview }: DiscussionProps) {
  const l = useLocale();
  const { threads, next } = post.discussion;
  const order = post.order === 'NEWEST' ? 'comments=newest&' : '';
  return (
    <section className="stack" aria-labelledby="comments">
      <div className="list-head">
        <h2 id="comments">{m.comments(l, { count: post.comments })}</h2>
        {threads.length > 1 && (
          <nav className="tabs" aria-label={m.sortComments(l)}>
            <Link to="?" aria-current={post.order === 'OLDEST' ? 'page' : undefined} preventScrollReset>
              {m.oldest(l)}
            </Link>
            <Link to="?comments=newest" aria-current={post.order === 'NEWEST' ? 'page' : undefined} preventScrollReset>
              {m.newest(l)}
            </Link>
          </nav>
        )}
      </div>
      {threads.length === 0 && <p className="muted">{m.noComments(l)}</p>}
      <ol className="threads">
        {threads.map((thread) => (
          <ThreadItem key={thread.comment.id} thread={thread} post={post} answer={answer} preview={preview} />
        ))}
      </ol>
      {next && (
        <p>
          <Link className="button" to={`?${order}after=${next}`}>
            {m.moreComments(l)}
          </Link>
        </p>
      )}
    </section>
  );
}

function ThreadItem({ thread: { comment, replies }, post, answer, preview }: DiscussionProps & { thread: Thread }) {
  const l = useLocale();
  const sent = useSent();
  const intent = `reply:${comment.id}`;
  if (comment.change) return <History comment={comment} change={comment.change} />;
  return (
    <li>
      <Comment comment={comment} answer={answer} />
      {replies.length > 0 && (
        <ol className="replies">
          {replies.map((reply) => (
            <li key={reply.id}>
              <Comment comment={reply} answer={answer} />
            </li>
          ))}
        </ol>
      )}
      {!post.closed && (
        <details className="reply" open={answer?.values.intent === intent || undefined} key={sent}>
          <summary>
            {m.reply(l)} <span className="visually-hidden">{comment.author ?? m.formerUser(l)}</span>
          </summary>
          <CommentForm post={post} intent={intent} answer={answer} preview={preview} />
        </details>
      )}
    </li>
  );
}

function isOfTeam({ kind }: CommentView): boolean {
  return kind === 'official' || kind === 'internal';
}

function Comment({ comment, answer }: { comment: CommentView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <article className="comment" id={`comment-${comment.id}`} data-kind={comment.kind}>
      <p className="meta">
        <Byline author={comment.author} date={comment.date} isTeam={isOfTeam(comment)} />
        {comment.kind === 'official' && <strong className="badge">{m.official(l)}</strong>}
        {comment.kind === 'internal' && (
          <strong className="badge" data-kind="marker">
            {m.typeInternal(l)}
          </strong>
        )}
        {comment.isEdited && <span>{m.edited(l)}</span>}
        {comment.isHeld && <span className="held">{m.waitsForApproval(l)}</span>}
        <a href={`#comment-${comment.id}`}>
          <span aria-hidden="true">#</span>
          <span className="visually-hidden">{m.linkToComment(l)}</span>
        </a>
      </p>
      {comment.source === null ? <CommentText comment={comment} /> : <EditComment comment={comment} answer={answer} />}
      <FileList files={comment.files} />
      {comment.source === null && comment.mayDelete && <CommentTools comment={comment} />}
    </article>
  );
}

/** The text of a comment; for a long one the beginning, with a link to all of it. */
function CommentText({ comment }: { comment: CommentView }) {
  const l = useLocale();
  const [search] = useSearchParams();
  const asked = new URLSearchParams([...search].filter(([name]) => name === 'comments' || name === 'after'));
  if (comment.isCut) asked.set('show', comment.id);
  return (
    <>
      <Prose html={comment.html} />
      {(comment.isCut || comment.isOpened) && (
        <p className="small row">
          <Link to={`?${asked}#comment-${comment.id}`} preventScrollReset>
            {comment.isCut ? m.readWhole(l) : m.showLess(l)}
            <span className="visually-hidden">{` ${comment.author ?? m.formerUser(l)}`}</span>
          </Link>
          <span className="muted">{m.characters(l, { count: comment.length })}</span>
        </p>
      )}
    </>
  );
}

function EditComment({ comment, answer }: { comment: CommentView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent={`edit-comment:${comment.id}`} action={`?edit=${comment.id}`}>
      <input type="hidden" name="id" value={comment.id} />
      <TextArea name="text" label={m.yourComment(l)} defaultValue={comment.source ?? ''} rows={5} required />
      <div className="row">
        <Submit>{m.save(l)}</Submit>
        <Link to="?" preventScrollReset>
          {m.cancel(l)}
        </Link>
      </div>
    </PageForm>
  );
}

/** The actions of a comment's author and the team. Deleting asks for confirmation. */
function CommentTools({ comment }: { comment: CommentView }) {
  const l = useLocale();
  return (
    <div className="row small comment-tools">
      {comment.mayEdit && (
        <Link to={`?edit=${comment.id}#comment-${comment.id}`} preventScrollReset>
          {m.edit(l)}
        </Link>
      )}
      {comment.mayModerate && (
        <PageForm answer={undefined} intent={`moderate-comment:${comment.id}`} action="?">
          <input type="hidden" name="id" value={comment.id} />
          <Submit kind="plain" name="moderationStatus" value={comment.isHeld ? 'APPROVED' : 'REJECTED'}>
            {comment.isHeld ? m.approve(l) : m.reject(l)}
          </Submit>
        </PageForm>
      )}
      <details className="confirm">
        <summary>{m.deleteComment(l)}</summary>
        <PageForm answer={undefined} intent={`delete-comment:${comment.id}`} action="?">
          <input type="hidden" name="id" value={comment.id} />
          <Submit kind="danger">{m.reallyDelete(l)}</Submit>
        </PageForm>
      </details>
    </div>
  );
}
