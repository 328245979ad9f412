import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import { PageForm } from '../parts/forms/form.tsx';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { Onward } from '../parts/show/onward.tsx';
import type { PostPage } from '../post/page.ts';
import { StatusChip } from '../posts/status.tsx';

/** Ideas that this one may be a duplicate of, each with the votes that both have together. */
const SHOWN = 3;

/** Likely duplicates of an idea in triage; one button merges it into one of them. */
export function Twins({ post }: { post: PostPage }) {
  const l = useLocale();
  const board = useBoard();
  const choices = post.merge?.words === '' ? post.merge.choices.slice(0, SHOWN) : [];
  if (choices.length === 0 || post.target !== null || !post.rights.merge) return null;
  return (
    <section className="twins" aria-labelledby="twins">
      <h2 id="twins">
        <Icon name="git-merge" />
        {m.triageTwins(l)}
      </h2>
      {choices.map(({ number, title, votes, together, path, isHeld, status }, n) => (
        <div key={number} className="twin">
          <span className="twin-votes">{m.votes(l, { count: votes })}</span>
          <div>
            <Link to={`/b/${board?.pid}/${path}`} dir="auto">
              {title}
            </Link>
            {isHeld ? (
              <span className="held">{m.waitsForApproval(l)}</span>
            ) : (
              status && <StatusChip status={status} isBare />
            )}
          </div>
          <PageForm answer={undefined} intent="merge" action="?">
            <input type="hidden" name="target" value={number} />
            <Onward />
            <button type="submit" className="button" aria-keyshortcuts={n === 0 ? 'm' : undefined}>
              {m.mergeVotes(l, { count: together })}
              <span className="visually-hidden">{` #${number}`}</span>
            </button>
          </PageForm>
        </div>
      ))}
    </section>
  );
}
