import './discussion.css';
import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer, FormPreview } from '../parts/requests/forms.ts';
import { useBoard, useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { StatusChip } from '../posts/status.tsx';
import { Comment, CommentBody, CommentHead, Face } from './comment.tsx';
import type { CommentView, DiscussedPost } from './discussion.ts';
import { CommentForm, useSent } from './form.tsx';
import { History, HistoryLine } from './history.tsx';
import { Reactions } from './reactions.tsx';
import type { Thread } from './threads.ts';

type DiscussionProps = { post: DiscussedPost; answer: FormAnswer | undefined; preview: FormPreview | null };

/** The newest answer of the team, above the discussion, with the status that came with it. */
export function Answer({ comment, post, answer }: Omit<DiscussionProps, 'preview'> & { comment: CommentView }) {
  const l = useLocale();
  const board = useBoard();
  const status = comment.change?.type === 'STATUS_CHANGE' ? comment.change.to : null;
  return (
    <section className="answer" id={`comment-${comment.id}`} aria-labelledby="answer">
      <header>
        <Face author={comment.author} />
        <h2 id="answer">{m.answerFrom(l, { board: board?.name ?? '' })}</h2>
        {status && <StatusChip status={status} />}
        <CommentHead comment={comment} isAnswer />
      </header>
      <CommentBody comment={comment} answer={answer} />
      {comment.kind === 'official' && (
        <Reactions commentId={comment.id} counts={comment.reactions} isClosed={post.closed !== null} />
      )}
    </section>
  );
}

/** The comments on a post, and its history; nothing where there is neither. */
export function Discussion({ post, answer, preview }: DiscussionProps) {
  const l = useLocale();
  const { threads, next } = post.discussion;
  const isStatic = useIsStatic();
  const [search] = useSearchParams();
  const replying = { asked: search.get('reply'), sent: useSent() };
  const order = post.order === 'NEWEST' ? 'comments=newest&' : '';
  if (threads.length === 0 && next === null) return null;
  // The answer is above, and leaves but a line of the history here.
  const others = post.comments - Number(post.discussion.answer?.kind === 'official');
  return (
    <section aria-labelledby="comments">
      <div className="sect">
        <h2 id="comments">{others > 0 ? m.comments(l, { count: post.comments }) : m.activity(l)}</h2>
        {threads.length > 1 && !isStatic && (
          <nav className="segments" aria-label={m.sortComments(l)}>
            <Link to="?" aria-current={post.order === 'OLDEST' ? 'page' : undefined} preventScrollReset>
              {m.oldest(l)}
            </Link>
            <Link to="?comments=newest" aria-current={post.order === 'NEWEST' ? 'page' : undefined} preventScrollReset>
              {m.newest(l)}
            </Link>
          </nav>
        )}
      </div>
      <ol className="threads">
        {threads.map((thread) => (
          <ThreadItem
            key={thread.id}
            thread={thread}
            post={post}
            answer={answer}
            preview={preview}
            replying={replying}
          />
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

type ItemProps = DiscussionProps & { onReply: (id: string | null) => void };

type ThreadProps = DiscussionProps & { thread: Thread<CommentView>; replying: Replying };

function ThreadItem({ thread: { comment, replies }, replying, ...props }: ThreadProps) {
  const l = useLocale();
  const { replyTo, setReplyTo, form } = useReply(props.answer, replying);
  const item = { ...props, onReply: setReplyTo };
  const target = [...(typeof comment === 'string' ? [] : [comment]), ...replies].find(({ id }) => id === replyTo);
  return (
    <li className="thread" data-has-replies={replies.length > 0 || undefined}>
      <Top comment={comment} {...item} />
      {(replies.length > 0 || target) && (
        <ol className="replies">
          {replies.map((reply) => (
            <li key={reply.id}>
              <Comment comment={reply} {...item} />
            </li>
          ))}
          {target && props.post.closed === null && (
            <li className="reply-form" ref={form}>
              <CommentForm
                {...props}
                intent={`reply:${target.id}`}
                label={m.yourReply(l)}
                send={m.sendReply(l)}
                onCancel={() => {
                  setReplyTo(null);
                  document.querySelector<HTMLElement>(`#comment-${target.id} .reply`)?.focus();
                }}
              />
            </li>
          )}
        </ol>
      )}
    </li>
  );
}

/** What replies belong to: a comment, a change, or what is left of a comment that is not here. */
function Top({ comment, ...props }: ItemProps & { comment: Thread<CommentView>['comment'] }) {
  const l = useLocale();
  if (typeof comment === 'string') {
    return (
      <p className="history">
        <span className="history-icon">
          <Icon name={comment === 'gone' ? 'trash' : 'message-circle'} size={14} />
        </span>
        <span>{comment === 'gone' ? m.commentGone(l) : m.commentElsewhere(l)}</span>
      </p>
    );
  }
  const isAbove = comment.id === props.post.discussion.answer?.id;
  if (comment.change) return <History comment={comment} change={comment.change} hasText={!isAbove} />;
  if (!isAbove) return <Comment comment={comment} {...props} />;
  return <HistoryLine icon="megaphone" comment={comment} text={m.historyAnswered(l, { who: '{who}' })} />;
}

/** The comment that the URL names, and the last navigation after which nothing is being replied to. */
type Replying = { asked: string | null; sent: string };

/** Which comment is being replied to: the one that was chosen, that the URL names, or whose reply came back; and its form, which takes the focus. */
function useReply(answer: FormAnswer | undefined, { asked, sent }: Replying) {
  const refused = /^reply:(.+)$/.exec(answer?.values.intent ?? '')?.[1];
  const [chosen, setChosen] = useState<{ id: string | null; sent: string } | null>(null);
  const own = chosen?.sent === sent ? chosen.id : undefined;
  const replyTo = own === undefined ? (refused ?? asked) : own;
  const form = useRef<HTMLLIElement>(null);
  // Each time that one is chosen, the same one, too.
  useEffect(() => {
    if (chosen?.id !== null) form.current?.querySelector('textarea')?.focus();
  }, [chosen]);
  return { replyTo, setReplyTo: (id: string | null) => setChosen({ id, sent }), form };
}
