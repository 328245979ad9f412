import { Form, Link, useLocation } from 'react-router';
import { formatCount, formatDate } from '../i18n/format.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useIsStatic, useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { FileList } from '../parts/texts/file-list.tsx';
import { Prose } from '../parts/texts/prose.tsx';
import type { EntryView } from './entries.ts';
import { labelName } from './labels.ts';

type EntryProps = { entry: EntryView; level: 'h1' | 'h2'; isNew?: boolean };

/** An entry of the changelog: what it says, the ideas that led to it, and how visitors react. */
export function ChangelogEntry({ entry, level: Heading, isNew = false }: EntryProps) {
  const board = useBoard();
  const l = useLocale();
  const isStatic = useIsStatic();
  const path = `/b/${board?.pid}/${entry.path}`;
  return (
    <article className="release" id={`entry-${entry.number}`}>
      <div className="release-when">
        <time dateTime={new Date(entry.date).toISOString()}>{formatLongDay(l, entry.date)}</time>
        {entry.state !== 'PUBLISHED' && (
          <span className="badge" data-kind="marker">
            {entry.state === 'DRAFT' ? m.entryDraft(l) : m.entryScheduled(l)}
          </span>
        )}
        {isNew && (
          <span className="badge" data-kind="marker">
            {m.newSinceVisit(l)}
          </span>
        )}
        {entry.labels.map((label) => (
          <span key={label} className="badge" data-label={label}>
            {labelName(l, label)}
          </span>
        ))}
      </div>
      <div className="release-body">
        <Heading className="release-title" dir="auto">
          {Heading === 'h1' ? entry.title : <Link to={path}>{entry.title}</Link>}
        </Heading>
        {entry.html && <Prose html={entry.html} />}
        {entry.isCut && <Link to={path}>{m.readMore(l)}</Link>}
        <FileList files={entry.files} />
        {entry.ideas.length > 0 && <Ideas entry={entry} path={path} level={Heading === 'h1' ? 'h2' : 'h3'} />}
        {entry.state === 'PUBLISHED' &&
          (isStatic ? <ReactionCounts entry={entry} /> : <Reactions entry={entry} path={path} />)}
      </div>
    </article>
  );
}

/** The day is that of UTC for everyone, so that browser and server agree. */
function formatLongDay(l: Locale, instant: number): string {
  return formatDate(l, instant, { dateStyle: 'long', timeZone: 'UTC' });
}

function Ideas({ entry, path, level: Heading }: { entry: EntryView; path: string; level: 'h2' | 'h3' }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <section className="release-ideas">
      <Heading>{m.youAskedForIt(l)}</Heading>
      <ul className="linked-ideas">
        {entry.ideas.map(({ id, title, path, votes, isVoted }) => (
          <li key={id}>
            <span className="release-votes">
              <Icon name="voted" size={14} />
              <span aria-hidden="true">{formatCount(l, votes)}</span>
              <span className="visually-hidden">{m.voteCount(l, { count: votes })}</span>
            </span>
            <Link to={`/b/${board?.pid}/${path}`} dir="auto">
              {title}
            </Link>
            {isVoted && (
              <span className="badge" data-kind="marker">
                {m.youVotedForThis(l)}
              </span>
            )}
          </li>
        ))}
        {entry.hasMoreIdeas && (
          <li>
            <Link to={path}>{m.allIdeasOfEntry(l)}</Link>
          </li>
        )}
      </ul>
    </section>
  );
}

const signs = { THUMBS_UP: '👍', HEART: '❤️', PARTY: '🎉', EYES: '👀' } as const;

/** How visitors reacted, in an export. */
function ReactionCounts({ entry }: Pick<EntryProps, 'entry'>) {
  const l = useLocale();
  const names = useReactionNames();
  const given = entry.reactions.filter(({ count }) => count > 0);
  if (given.length === 0) return null;
  return (
    <p className="release-reactions">
      {given.map(({ reaction, count }) => (
        <span key={reaction} className="release-reaction">
          <span className="visually-hidden">{m.reactionCount(l, { name: names[reaction], count })}</span>
          <span aria-hidden="true">{signs[reaction]}</span>
          <span aria-hidden="true">{formatCount(l, count)}</span>
        </span>
      ))}
    </p>
  );
}

function useReactionNames() {
  const l = useLocale();
  return {
    THUMBS_UP: m.reactionThumbsUp(l),
    HEART: m.reactionHeart(l),
    PARTY: m.reactionParty(l),
    EYES: m.reactionEyes(l),
  };
}

/** A button for each way to react. The page comes back to the same place, with scripts without a jump. */
function Reactions({ entry, path }: { entry: EntryView; path: string }) {
  const l = useLocale();
  const { pathname, search } = useLocation();
  const names = useReactionNames();
  return (
    <Form method="post" action={path} className="release-reactions" preventScrollReset>
      <input type="hidden" name="next" value={`${pathname}${search}#entry-${entry.number}`} />
      {entry.reactions.map(({ reaction, count, isOwn }) => (
        <button
          key={reaction}
          type="submit"
          className="release-reaction"
          name="intent"
          value={`${isOwn ? 'unreact' : 'react'}:${reaction}`}
          aria-pressed={isOwn}
          aria-label={m.reactionCount(l, { name: names[reaction], count })}
        >
          <span aria-hidden="true">{signs[reaction]}</span>
          {count > 0 && <span aria-hidden="true">{formatCount(l, count)}</span>}
        </button>
      ))}
    </Form>
  );
}
