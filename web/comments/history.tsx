import type { ReactNode } from 'react';
import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { IconName } from '../icons/compile.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Sentence } from '../parts/show/sentence.tsx';
import { Prose } from '../parts/texts/prose.tsx';
import { StatusChip } from '../posts/status.tsx';
import type { StatusView } from '../posts/statuses.ts';
import { wordsOfChange } from './change-words.ts';
import { Permalink } from './comment.tsx';
import type { CommentView } from './discussion.ts';
import type { ChangeView } from './history.ts';

/** A change of the post: who did what, and what they said about it, unless that stands elsewhere. */
export function History({ comment, change, hasText }: { comment: CommentView; change: ChangeView; hasText: boolean }) {
  const l = useLocale();
  const parts = usePartsOf(change);
  return (
    <div id={hasText ? `comment-${comment.id}` : undefined}>
      <HistoryLine icon={iconOf(change)} comment={comment} text={wordsOfChange(l, change, marks)} parts={parts} />
      {hasText && comment.html && (
        <div className="history-text">
          <Prose html={comment.html} />
        </div>
      )}
    </div>
  );
}

type LineProps = {
  icon: IconName;
  comment: CommentView;
  /** A text of the catalogue with `{who}` in it, and these parts. */
  text: string;
  parts?: Readonly<Record<string, ReactNode>>;
};

/** One line of the history: an icon, who did what, and when. */
export function HistoryLine({ icon, comment, text, parts }: LineProps) {
  const l = useLocale();
  const who = (
    <strong>
      <bdi>{comment.author?.name ?? m.formerUser(l)}</bdi>
    </strong>
  );
  return (
    <p className="history">
      <span className="history-icon">
        <Icon name={icon} size={14} />
      </span>
      <span>
        <Sentence text={text} parts={{ who, ...parts }} />
        {' · '}
        <Permalink comment={comment} />
      </span>
    </p>
  );
}

function iconOf(change: ChangeView): IconName {
  if (change.type === 'STATUS_CHANGE') return change.to?.ring ?? 'ring-open';
  return change.type === 'TITLE_CHANGE' ? 'pencil' : 'git-merge';
}

/** The places in the sentence for `usePartsOf`. */
const marks = { who: '{who}', from: '{from}', to: '{to}', post: '{post}' };

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
