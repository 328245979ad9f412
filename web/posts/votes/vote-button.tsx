import './ask-address.css';
import './vote-button.css';
import { lazy, Suspense, use, useCallback, useEffect, useId, useState } from 'react';
import { Link, UNSAFE_FrameworkContext, useFetcher, useLocation } from 'react-router';
import { formatVotes } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { loadPart } from '../../lib/load-part.ts';
import { withNext } from '../../lib/next.ts';
import { outbox } from '../../lib/outbox.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useBoard, useFrame, useIsStatic, useLocale } from '../../parts/requests/locale.ts';
import { useResend } from '../../parts/requests/resend.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { useNewest } from '../live.ts';
import type { Votable } from '../posts.ts';
import type { action } from './vote.tsx';

const loadAskAddress = async () => ({ default: (await import('./ask-address.tsx')).AskAddress });
/** In browsers, anonymous visitors load it once the page is there. */
const AskAddress = import.meta.env.SSR ? (await loadAskAddress()).default : lazy(loadAskAddress);

/** So that six figures fit the button. */
const SMALL = { fontSize: '0.6875rem' };

/** The votes of a post, with which the viewer casts theirs; in an export only their number. */
export function VoteButton({ post }: { post: Votable }) {
  return useIsStatic() ? <VoteCount votes={post.votes} /> : <VoteForm post={post} />;
}

function VoteCount({ votes }: { votes: number }) {
  const l = useLocale();
  const count = formatVotes(l, votes);
  return (
    <div className="vote-box">
      <span className="vote" data-state="fixed">
        <Icon name="vote" />
        <span className="vote-count" style={count.length > 5 ? SMALL : undefined} aria-hidden="true">
          {count}
        </span>
        <span className="visually-hidden">{m.voteCount(l, { count: votes })}</span>
      </span>
    </div>
  );
}

/** Loads what sends votes, and what asks for an address, which the first vote would wait for, and could not be sent without. */
function useVoteRoute(): void {
  const isAnonymous = useFrame()?.visitor === null;
  const route = use(UNSAFE_FrameworkContext)?.manifest.routes['posts/votes/vote'];
  useEffect(() => {
    if (!route) return;
    const { module, imports = [] } = route;
    loadPart(() => import(/* @vite-ignore */ module), [module, ...imports]).catch(() => {});
    if (isAnonymous) loadAskAddress().catch(() => {});
  }, [route, isAnonymous]);
}

/**
 * Casts or withdraws a vote. The count changes immediately, and back again if the server refuses; without scripts the
 * form reloads its page. The vote of an anonymous visitor is pending, and they are asked for their address next to it.
 */
function VoteForm({ post }: { post: Votable }) {
  const fetcher = useFetcher<typeof action>();
  useVoteRoute();
  const { pathname, search } = useLocation();
  const board = useBoard();
  const l = useLocale();
  const id = useId();
  const answer = formAnswerOf(fetcher.data);
  const path = `/b/${board?.pid}/votes/${post.number}`;
  const address = usePrefix() + path;
  const [waits] = useResend(
    answer,
    () => send(answer?.values.vote ?? 'none'),
    () => outbox.box?.describeVote(post.title, address, answer?.values.vote === 'up') ?? null,
    { ownKey: address },
  );
  const { isVoted, isPending, votes, isSending, refusal } = useVotes(post, fetcher, waits);
  const [isAsking, setIsAsking] = useAsking(fetcher, `vote-${post.number}`);
  const closeAsking = useCallback(() => setIsAsking(false), [setIsAsking]);
  const isAnonymous = useFrame()?.visitor === null;
  const count = formatVotes(l, votes);
  const title = m.voteFor(l, { title: post.title, count: votes });
  const reason = post.closed && (post.closed === 'merged' ? m.voteMerged(l) : m.voteLocked(l));
  const vote = isVoted && !isPending ? 'none' : 'up';
  const send = (choice: string) => fetcher.submit({ vote: choice }, { method: 'post', action: path });
  return (
    <div className="vote-box">
      <fetcher.Form
        method="post"
        action={path}
        className="vote-form"
        onSubmit={(event) => {
          event.preventDefault();
          if (isPending && isAnonymous) setIsAsking(true);
          else {
            outbox.box?.drop(address);
            send(vote);
          }
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
          aria-keyshortcuts="v"
          aria-describedby={reason || isPending ? id : undefined}
          data-state={isPending ? 'pending' : undefined}
          title={reason ?? undefined}
          disabled={reason !== null}
        >
          <Icon name={reason !== null ? 'lock' : isVoted ? 'voted' : 'vote'} />
          <span
            key={votes}
            className="vote-count"
            data-changed={isSending || undefined}
            style={count.length > 5 ? SMALL : undefined}
          >
            {count}
          </span>
        </button>
        {reason && (
          <span id={id} className="visually-hidden">
            {reason}
          </span>
        )}
        {isPending && <PendingNote id={id} onEnter={() => setIsAsking(true)} />}
        <VoteNote waits={waits} refusal={refusal} />
      </fetcher.Form>
      {isAsking && (
        <Suspense>
          <AskAddress onWithdraw={() => send('none')} onClose={closeAsking} />
        </Suspense>
      )}
    </div>
  );
}

/** What a vote waits for, by the id of its words. */
function PendingNote({ id, onEnter }: { id: string; onEnter: () => void }) {
  const l = useLocale();
  const board = useBoard();
  return (
    <p className="vote-note">
      <Icon name="mail" size={14} />
      <span id={id}>{m.votePending(l)}</span>
      <Link
        to={withNext(board?.signInPath ?? '/sign-in', `/b/${board?.pid}/continue`)}
        onClick={(event) => {
          event.preventDefault();
          onEnter();
        }}
      >
        {m.enterCode(l)}
      </Link>
    </p>
  );
}

/** What has become of a vote that the server did not count. */
function VoteNote({ waits, refusal }: { waits: boolean; refusal: string | null }) {
  const l = useLocale();
  if (waits)
    return (
      <p className="vote-note" role="status">
        {m.notSavedYet(l)}
      </p>
    );
  return refusal ? (
    <p className="vote-note" data-kind="error" role="alert">
      {refusal}
    </p>
  ) : null;
}

/** Gives the focus back to the vote: what had it is gone with the dialog. */
function useFocusAfter(isAsking: boolean, id: string): void {
  useEffect(() => {
    if (!isAsking) return;
    return () => {
      if (document.activeElement === document.body) document.getElementById(id)?.focus();
    };
  }, [isAsking, id]);
}

/**
 * Whether the address is requested: as soon as the server has reported that the vote is pending, until the visitor
 * dismisses it.
 */
function useAsking({ data, state }: VoteFetcher, voteId: string) {
  const [isAsking, setIsAsking] = useState(false);
  useEffect(() => {
    if (state === 'idle' && data && 'isPending' in data) setIsAsking(data.isPending);
  }, [data, state]);
  useFocusAfter(isAsking, voteId);
  return [isAsking, setIsAsking] as const;
}

type VoteFetcher = ReturnType<typeof useFetcher<typeof action>>;

/** The vote as it will be once the server has it, also while it waits to be sent again, else as the server last reported it. */
function useVotes(post: Votable, { formData, data }: VoteFetcher, waits: boolean) {
  const isAnonymous = useFrame()?.visitor === null;
  const counted = useLastCounted(post, data);
  const settled = settle(post, counted, isAnonymous);
  const answer = formAnswerOf(data);
  const sent = formData?.get('vote') ?? (waits ? answer?.values.vote : undefined);
  const isVoted = sent === undefined ? settled.isVoted || settled.isPending : sent === 'up';
  // While a vote is being sent, the count of the stream may already include it.
  const news = useNewest(post.number, [post, counted], sent !== undefined);
  const votes = (news ?? settled).votes + Number(isVoted) - Number(settled.isVoted);
  const isPending = isVoted && (sent === undefined ? settled.isPending : isAnonymous && !waits);
  const refusal = formData || waits ? null : (answer?.message ?? null);
  return { isVoted, isPending, votes, isSending: formData !== undefined, refusal };
}

/** What the server last said of the vote: one that it refused or did not answer leaves the vote as it was. */
function useLastCounted(post: Votable, data: VoteFetcher['data']): VoteFetcher['data'] {
  const [last, setLast] = useState({ post, data });
  const isRefused = formAnswerOf(data) !== undefined;
  if (last.post !== post) setLast({ post, data: isRefused ? undefined : data });
  else if (!isRefused && last.data !== data) setLast({ post, data });
  return isRefused ? last.data : data;
}

/** A post with the server's responses since. Once its visitor has signed in, no vote is pending. */
function settle(post: Votable, data: VoteFetcher['data'], isAnonymous: boolean): Votable {
  if (data && 'votes' in data) return { ...post, ...data, isPending: false };
  return data && 'isPending' in data && isAnonymous ? { ...post, isPending: data.isPending } : post;
}
