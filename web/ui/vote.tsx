import { useId } from 'react';
import { useFetcher, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import { formAnswerOf } from '../lib/forms.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import type { Votable } from '../lib/posts.ts';
import type { action } from '../routes/vote.tsx';

/**
 * Gives or takes back a vote. The count changes at once and back again when the server refuses; without scripts the
 * form brings its page back.
 */
export function VoteButton({ post }: { post: Votable }) {
  const fetcher = useFetcher<typeof action>();
  const { pathname, search } = useLocation();
  const board = useBoard();
  const l = useLocale();
  const id = useId();
  const { isVoted, votes, isSending, refusal } = useVotes(post, fetcher);
  const title = m.voteFor(l, { title: post.title, count: votes });
  const reason = post.closed && (post.closed === 'merged' ? m.voteMerged(l) : m.voteLocked(l));
  const path = `/b/${board?.pid}/votes/${post.number}`;
  const vote = isVoted ? 'none' : 'up';
  return (
    <fetcher.Form
      method="post"
      action={path}
      className="vote-form"
      onSubmit={(event) => {
        event.preventDefault();
        fetcher.submit({ vote }, { method: 'post', action: path });
      }}
    >
      <input type="hidden" name="vote" value={vote} />
      <input type="hidden" name="next" value={`${pathname}${search}#vote-${post.number}`} />
      <button
        type="submit"
        id={`vote-${post.number}`}
        className="vote"
        aria-pressed={isVoted}
        aria-label={title}
        aria-describedby={reason ? id : undefined}
        title={reason ?? undefined}
        disabled={reason !== null}
      >
        <svg viewBox="0 0 12 8" width="12" height="8" aria-hidden="true">
          <path d="M6 0 12 8H0Z" fill="currentColor" />
        </svg>
        <span key={votes} className="vote-count" data-changed={isSending || undefined}>
          {votes.toLocaleString(l)}
        </span>
      </button>
      {reason && (
        <span id={id} className="visually-hidden">
          {reason}
        </span>
      )}
      {refusal && (
        <p className="vote-refusal" role="alert">
          {refusal}
        </p>
      )}
    </fetcher.Form>
  );
}

/** The vote as it will be once the server has it, else as the server has told it last. */
function useVotes(post: Votable, { formData, data }: ReturnType<typeof useFetcher<typeof action>>) {
  const settled = data && 'votes' in data ? data : post;
  const answer = formAnswerOf(data);
  if (!formData) return { ...settled, isSending: false, refusal: answer?.message ?? null };
  const isVoted = formData.get('vote') === 'up';
  const votes = settled.votes + Number(isVoted) - Number(settled.isVoted);
  return { isVoted, votes, isSending: true, refusal: null };
}
