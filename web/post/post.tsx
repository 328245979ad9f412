import './post.css';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { formatShortDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale, useTimeZone } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Time } from '../parts/show/time.tsx';
import { useLive, useNow } from '../posts/live.ts';
import { actOnPost } from './acting.ts';
import { PostNotes } from './notes.tsx';
import { loadPost, type PostPage } from './page.ts';
import { PostPanel } from './panel.tsx';
import type { Step } from './steps.ts';
import { Story, usePost } from './story.tsx';
import { OpenBy, TeamBar } from './team.tsx';

export const loader = loadPost;
export const action = actOnPost;

export default function Post() {
  const shown = usePost();
  const { post } = shown;
  const board = useBoard();
  const l = useLocale();
  useLive(
    useMemo(() => [post], [post]),
    post.allStatuses,
    post.number,
  );
  if (!board) return null;
  return (
    <main id="main" className="page post-page">
      <Link className="back" to={`/b/${board.pid}`} viewTransition>
        <Icon name="arrow-left" flips />
        {m.backToIdeas(l)}
      </Link>
      {post.rights.status && <OpenBy number={post.number} />}
      <PostNotes post={post} answer={shown.answer} />
      <div className="post-columns">
        <div className="story">
          <Stepper post={post} />
          <Story key={post.id} {...shown} />
        </div>
        <PostPanel {...shown} />
      </div>
      {post.rights.status && post.target === null && <TeamBar post={post} />}
    </main>
  );
}

/** How far an idea has come, and since when. */
function Stepper({ post }: { post: PostPage }) {
  const l = useLocale();
  const { statusId } = useNow(post);
  const steps = statusId === post.statusId ? post.steps : moveTo(post.steps, statusId);
  if (steps.length < 2) return null;
  return (
    <ol className="steps" aria-label={m.progress(l)}>
      {steps.map(({ status, state, date }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: statuses may have the same name, and never change places here.
        <li key={n} data-state={state} aria-current={state === 'now' || state === 'done' ? 'step' : undefined}>
          <span className="step-name">
            <Icon name={state === 'past' ? 'ring-done' : status.ring} size={14} />
            <bdi>{status.name}</bdi>
          </span>
          {date !== null && (state === 'now' ? <Time date={date} /> : <Day date={date} />)}
        </li>
      ))}
    </ol>
  );
}

/** The way of an idea that has come into another status while it is shown; as it was, if that is none of its steps. */
function moveTo(steps: readonly Step[], statusId: string): readonly Step[] {
  const place = steps.findIndex(({ id }) => id === statusId);
  if (place < 0) return steps;
  return steps.map((step, n) => {
    const here = step.status.ring === 'ring-done' ? 'done' : 'now';
    return { ...step, state: n < place ? 'past' : n > place ? 'next' : here, date: n > place ? null : step.date };
  });
}

function Day({ date }: { date: number }) {
  return <time dateTime={new Date(date).toISOString()}>{formatShortDay(useLocale(), date, useTimeZone())}</time>;
}
