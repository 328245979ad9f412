import './post.css';
import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { PostNotes } from './notes.tsx';
import { actOnPost, loadPost } from './page.ts';
import { PostPanel } from './panel.tsx';
import { Stepper } from './stepper.tsx';
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
