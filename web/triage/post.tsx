import '../post/post.css';
import './post.css';
import { Link, useParams, useRouteLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { OnwardContext } from '../parts/show/onward.tsx';
import { actOnPost } from '../post/acting.ts';
import { PostNotes } from '../post/notes.tsx';
import { loadPost } from '../post/page.ts';
import { PostPanel } from '../post/panel.tsx';
import { Story, usePost } from '../post/story.tsx';
import { OpenBy } from '../post/team/open-by.tsx';
import { TeamBar } from '../post/team.tsx';
import { filterOf, withQuery } from '../posts/team/query.ts';
import { Decide, DoneForm } from './decide.tsx';
import type { TriagePage } from './triage.ts';
import { Twins } from './twins.tsx';

export const loader = loadPost;
export const action = actOnPost;

/** An idea in triage, with its panel. What is done with it leads on to the next one of the list. */
export default function TriagePost() {
  const { post, answer, preview } = usePost();
  const { view } = useParams();
  const board = useBoard();
  const l = useLocale();
  const list = useRouteLoaderData<TriagePage>('triage/triage');
  const home = `/b/${board?.pid}/triage/${view}`;
  const { before, after, rest } = beside(list?.posts ?? [], post.number);
  const filter = list ? filterOf(list.desk) : new URLSearchParams();
  const pathOf = (number: number | undefined) =>
    number === undefined ? undefined : withQuery(`${home}/${number}`, filter);
  return (
    <OnwardContext value={pathOf(rest) ?? withQuery(home, filter)}>
      <section key={post.id} className="triage-post" aria-label={m.triageIdea(l)}>
        <nav className="triage-steps" aria-label={m.triageSteps(l)}>
          <Link className="back" to={withQuery(home, filter)}>
            <Icon name="arrow-left" flips />
            {m.triageBack(l)}
          </Link>
          <OpenBy number={post.number} />
          {list?.posts.some(({ number }) => number === post.number) && (
            <label htmlFor={`choose-${post.number}`} aria-keyshortcuts="x">
              {m.choose(l)}
            </label>
          )}
          <Step path={pathOf(before)} keyName="k" words={m.previousIdea(l)} />
          <Step path={pathOf(after)} keyName="j" words={m.nextIdea(l)} />
        </nav>
        <PostNotes post={post} answer={answer} />
        <Twins post={post} />
        <Story post={post} answer={answer} preview={preview} />
      </section>
      <PostPanel key={post.number} post={post} answer={answer} preview={preview}>
        <Decide post={post} />
      </PostPanel>
      {post.rights.status && post.target === null && (
        <TeamBar post={post}>
          <DoneForm />
        </TeamBar>
      )}
    </OnwardContext>
  );
}

/** The ideas beside one in the list, and the one to go on with; the first, for one that is not in the list. */
function beside(posts: readonly { number: number }[], number: number) {
  const at = posts.findIndex((post) => post.number === number);
  const before = posts[at - 1]?.number;
  const after = posts[at + 1]?.number;
  return { before, after, rest: after ?? before };
}

function Step({ path, keyName, words }: { path: string | undefined; keyName: string; words: string }) {
  if (!path) return null;
  return (
    <Link to={path} aria-keyshortcuts={keyName} preventScrollReset>
      {words}
    </Link>
  );
}
