import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { ChangeView } from '../lib/history.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import type { CommentView } from '../lib/post-view.ts';
import type { StatusView } from '../lib/statuses.ts';
import { Prose } from './prose.tsx';
import { Sentence } from './sentence.tsx';
import { StatusChip } from './status.tsx';
import { Time } from './time.tsx';

/** A change of the post: who did what, and what they said about it. */
export function History({ comment, change }: { comment: CommentView; change: ChangeView }) {
  const l = useLocale();
  return (
    <li className="history" id={`comment-${comment.id}`}>
      <p className="muted small">
        <Sentence text={wordsOf(l, change)} parts={{ who: <Who author={comment.author} />, ...usePartsOf(change) }} />
        {' · '}
        <a href={`#comment-${comment.id}`}>
          <Time date={comment.date} />
        </a>
      </p>
      {comment.html && <Prose html={comment.html} />}
    </li>
  );
}

function Who({ author }: { author: string | null }) {
  const l = useLocale();
  return (
    <b>
      <bdi>{author ?? m.formerUser(l)}</bdi>
    </b>
  );
}

type Locale = ReturnType<typeof useLocale>;
const marks = { who: '{who}', from: '{from}', to: '{to}', post: '{post}' };

function wordsOf(l: Locale, change: ChangeView): string {
  switch (change.type) {
    case 'STATUS_CHANGE':
      if (!change.to) return m.historyStatusHidden(l, marks);
      return change.from ? m.historyStatus(l, marks) : m.historyStatusTo(l, marks);
    case 'TITLE_CHANGE':
      return m.historyTitle(l, marks);
    case 'MERGE_SOURCE':
      return m.historyMergedAway(l, marks);
    case 'MERGE_TARGET':
      return change.votes ? m.historyMergedVotes(l, { ...marks, count: change.votes }) : m.historyMerged(l, marks);
    default:
      return change satisfies never;
  }
}

function usePartsOf(change: ChangeView) {
  const board = useBoard();
  switch (change.type) {
    case 'STATUS_CHANGE':
      return { from: <PastStatus status={change.from} />, to: <PastStatus status={change.to} /> };
    case 'TITLE_CHANGE':
      return { from: <bdi>{change.from}</bdi>, to: <bdi>{change.to}</bdi> };
    default: {
      const { post, number } = change;
      return { post: post ? <Link to={`/b/${board?.pid}/${post.path}`}>{post.title}</Link> : `#${number}` };
    }
  }
}

function PastStatus({ status }: { status: StatusView | null }) {
  return status && <StatusChip status={status} isBare />;
}
