import './comment.css';
import { Link, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { Versions } from '../parts/forms/versions.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { Avatar } from '../parts/show/avatar.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { Menu } from '../parts/show/menu.tsx';
import { Time } from '../parts/show/time.tsx';
import { FileList } from '../parts/texts/file-list.tsx';
import { MarkdownArea, PreviewButton } from '../parts/texts/markdown-area.tsx';
import { Prose } from '../parts/texts/prose.tsx';
import type { CommentView, DiscussedPost } from './discussion.ts';
import { Reactions } from './reactions.tsx';

type CommentProps = {
  comment: CommentView;
  post: DiscussedPost;
  answer: FormAnswer | undefined;
  onReply: (id: string) => void;
};

/** A comment of the discussion, with its reactions and the way to reply to it. */
export function Comment({ comment, post, answer, onReply }: CommentProps) {
  const l = useLocale();
  const isClosed = post.closed !== null;
  return (
    <article className="comment" id={`comment-${comment.id}`} data-kind={comment.kind}>
      <Face author={comment.author} />
      <div>
        <CommentHead comment={comment} />
        <CommentBody comment={comment} answer={answer} />
        {comment.source === null && (
          <div className="acts">
            <Reactions commentId={comment.id} counts={comment.reactions} isClosed={isClosed} />
            {!isClosed && post.mayWrite && (
              <Link
                className="reply"
                to={`?reply=${comment.id}#comment-${comment.id}`}
                preventScrollReset
                onClick={(event) => {
                  event.preventDefault();
                  onReply(comment.id);
                }}
              >
                {m.reply(l)}
                <span className="visually-hidden">{` ${comment.author?.name ?? m.formerUser(l)}`}</span>
              </Link>
            )}
          </div>
        )}
      </div>
    </article>
  );
}

/** The link to a comment, which is its age. */
export function Permalink({ comment: { id, date } }: { comment: CommentView }) {
  return (
    <a className="permalink" href={`#comment-${id}`}>
      <Time date={date} />
    </a>
  );
}

/** The face of an author; that of a deleted user says nothing. */
export function Face({ author, size }: { author: CommentView['author']; size?: 18 | 24 | 28 }) {
  return <Avatar name="?" {...author} {...(size && { size })} />;
}

/** Who wrote a comment, when, and what is special about it, unless its heading says so: `isAnswer`. */
export function CommentHead({ comment, isAnswer = false }: { comment: CommentView; isAnswer?: boolean }) {
  const l = useLocale();
  const { author, kind } = comment;
  return (
    <div className="by">
      <strong>
        <bdi>{author?.name ?? m.formerUser(l)}</bdi>
      </strong>
      {kind === 'official' && !isAnswer && <span className="badge">{m.officialAnswer(l)}</span>}
      {kind !== 'official' && author?.isTeam && <span className="badge">{m.team(l)}</span>}
      {kind === 'internal' && (
        <span className="badge" data-kind="marker">
          <Icon name="lock" size={14} />
          {m.onlyTeam(l)}
        </span>
      )}
      <Permalink comment={comment} />
      {comment.isEdited && <span>{m.edited(l)}</span>}
      {comment.held && <span className="held">{comment.held}</span>}
      <CommentTools comment={comment} />
    </div>
  );
}

/** The text of a comment, or the form to change it. */
export function CommentBody({ comment, answer }: { comment: CommentView; answer: FormAnswer | undefined }) {
  return (
    <>
      {comment.source === null ? <CommentText comment={comment} /> : <EditComment comment={comment} answer={answer} />}
      <FileList files={comment.files} />
    </>
  );
}

/** The text of a comment; for a long one the beginning, with a link to all of it. */
function CommentText({ comment }: { comment: CommentView }) {
  return (
    <>
      <Prose html={comment.html} />
      {(comment.isCut || comment.isOpened) && <Folding comment={comment} />}
    </>
  );
}

/** Shows all of a long comment, or its beginning again. */
function Folding({ comment }: { comment: CommentView }) {
  const l = useLocale();
  const [search] = useSearchParams();
  const asked = new URLSearchParams([...search].filter(([name]) => name === 'comments' || name === 'after'));
  if (comment.isCut) asked.set('show', comment.id);
  return (
    <p className="small row">
      <Link to={`?${asked}#comment-${comment.id}`} preventScrollReset>
        {comment.isCut ? m.readWhole(l) : m.showLess(l)}
        <span className="visually-hidden">{` ${comment.author?.name ?? m.formerUser(l)}`}</span>
      </Link>
      <span className="muted">{m.characters(l, { count: comment.length })}</span>
    </p>
  );
}

function EditComment({ comment, answer }: { comment: CommentView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm
      answer={answer}
      intent={`edit-comment:${comment.id}`}
      action={`?edit=${comment.id}`}
      className="stack text-card"
    >
      <input type="hidden" name="id" value={comment.id} />
      <input type="hidden" name="form" value={`edit-comment:${comment.id}`} />
      <Versions of={comment.versions} labels={{ text: m.yourComment(l) }} />
      <MarkdownArea
        name="text"
        label={m.yourComment(l)}
        defaultValue={comment.source ?? ''}
        rows={5}
        hasPreview
        required
      />
      <div className="row">
        <Submit>{m.save(l)}</Submit>
        <PreviewButton />
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
  if (!comment.mayDelete || comment.source !== null) return null;
  const name = comment.author?.name ?? m.formerUser(l);
  return (
    <Menu label={m.aboutComment(l, { name })} button={<Icon name="ellipsis" />}>
      {comment.mayEdit && (
        <Link className="menu-item" to={`?edit=${comment.id}#comment-${comment.id}`} preventScrollReset>
          <Icon name="pencil" />
          {m.edit(l)}
        </Link>
      )}
      {comment.mayModerate && (
        <PageForm answer={undefined} intent={`moderate-comment:${comment.id}`} action="?">
          <input type="hidden" name="id" value={comment.id} />
          <button
            type="submit"
            className="menu-item"
            name="moderationStatus"
            value={comment.held ? 'APPROVED' : 'REJECTED'}
          >
            <Icon name={comment.held ? 'check' : 'eye-off'} />
            {comment.held ? m.approve(l) : m.reject(l)}
          </button>
        </PageForm>
      )}
      <hr />
      <details className="confirm">
        <summary className="menu-item" data-kind="danger">
          <Icon name="trash" />
          {m.deleteComment(l)}
        </summary>
        <PageForm answer={undefined} intent={`delete-comment:${comment.id}`} action="?">
          <input type="hidden" name="id" value={comment.id} />
          <Submit kind="danger">{m.reallyDelete(l)}</Submit>
        </PageForm>
      </details>
    </Menu>
  );
}
