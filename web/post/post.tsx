import './post.css';
import { Link } from 'react-router';
import { formatShortDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale, useTimeZone } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Time } from '../parts/show/time.tsx';
import { actOnPost } from './acting.ts';
import { PostNotes } from './notes.tsx';
import { loadPost } from './page.ts';
import { PostPanel } from './panel.tsx';
import type { Step } from './steps.ts';
import { Story, usePost } from './story.tsx';
import { TeamBar } from './team.tsx';

export const loader = loadPost;
export const action = actOnPost;

export default function Post() {
  const shown = usePost();
  const { post } = shown;
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  return (
    <main id="main" className="page post-page">
      <Link className="back" to={`/b/${board.pid}`} viewTransition>
        <Icon name="arrow-left" flips />
        {m.backToIdeas(l)}
      </Link>
      <PostNotes post={post} answer={shown.answer} />
      <div className="post-columns">
        <div className="story">
          <Stepper steps={post.steps} />
          <Story key={post.id} {...shown} />
        </div>
        <PostPanel {...shown} />
      </div>
      {post.rights.status && post.target === null && <TeamBar post={post} />}
    </main>
  );
}

/** How far an idea has come, and since when. */
function Stepper({ steps }: { steps: readonly Step[] }) {
  const l = useLocale();
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

function Day({ date }: { date: number }) {
  return <time dateTime={new Date(date).toISOString()}>{formatShortDay(useLocale(), date, useTimeZone())}</time>;
}
