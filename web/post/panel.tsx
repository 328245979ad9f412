import '../parts/styles/panel.css';
import '../parts/show/sheet.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatCount, formatDay, formatVotes } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { useBoard, useLocale, useTimeZone } from '../parts/requests/locale.ts';
import { Avatar } from '../parts/show/avatar.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { expectedName } from '../posts/expected.ts';
import { useNow } from '../posts/live.ts';
import { StatusChip } from '../posts/status.tsx';
import { Tag } from '../posts/tag.tsx';
import { Acts, VOTES } from './acts.tsx';
import type { ShownPost } from './page.ts';
import type { PanelView } from './panel.ts';
import { AssigneePicker, Issues, PostTools, StatusPicker, TagsPicker } from './team.tsx';

type PanelProps = ShownPost & { children?: ReactNode };

/** What stands beside an idea: its votes and facts, what its readers can do with it, and ideas like it. */
export function PostPanel({ post: loaded, answer, preview, children }: PanelProps) {
  const l = useLocale();
  const post = useNow(loaded);
  const { panel } = post;
  return (
    <aside className="panel" aria-label={m.aboutIdea(l)}>
      {children}
      <Votes votes={post.votes} {...panel} />
      <section>
        <dl className="facts">
          <Fact name={m.status(l)}>
            {post.rights.status && post.target === null ? (
              <StatusPicker post={post} answer={answer} preview={preview} />
            ) : (
              post.status && <StatusChip status={post.status} />
            )}
          </Fact>
          {post.rights.assign && (
            <Fact name={m.assignee(l)}>
              <AssigneePicker post={post} answer={answer} />
            </Fact>
          )}
          {post.expected && <Fact name={m.expected(l)}>{expectedName(l, post.expected)}</Fact>}
          <Tags post={post} answer={answer} />
          {panel.fields.map(({ id, label, type, isPublic, values }) => (
            <Fact key={id} name={label}>
              <FieldValues type={type} values={values} />
              {!isPublic && <Icon name="lock" size={14} />}
            </Fact>
          ))}
          <Fact name={m.author(l)}>
            {post.author && <Avatar {...post.author} size={24} />}
            <Author name={post.author?.name ?? null} page={panel.authorPage} />
          </Fact>
          <Fact name={m.posted(l)}>{formatDay(l, post.date, useTimeZone())}</Fact>
        </dl>
      </section>
      {post.issues && <Issues issues={post.issues} answer={answer} />}
      <Acts post={post} />
      {(post.rights.edit || post.rights.remove) && <PostTools post={post} answer={answer} />}
      <Similar similar={panel.similar} />
    </aside>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt dir="auto">{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Author({ name, page }: { name: string | null; page: string | null }) {
  const l = useLocale();
  const words = <bdi>{name ?? m.formerUser(l)}</bdi>;
  return name !== null && page !== null ? <Link to={page}>{words}</Link> : words;
}

type VotesProps = { votes: number } & Pick<PanelView, 'weeks' | 'voters' | 'voterPage' | 'notes'>;

/** How many votes there are, who gave the last of them, and how many came each week. */
function Votes({ votes, weeks, voters, voterPage, notes }: VotesProps) {
  const l = useLocale();
  const others = votes - voters.length;
  return (
    <section id={VOTES}>
      <div className="eyebrow">
        <h2>{m.votes(l, { count: votes })}</h2>
        {(weeks.at(-1) ?? 0) > 0 && (
          <span className="gain">
            <Icon name="trending-up" size={14} />
            {m.votesThisWeek(l, { count: weeks.at(-1) ?? 0 })}
          </span>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} className="muted small">
          {note}
        </p>
      ))}
      <VoteChart weeks={weeks} />
      {voters.length > 0 && (
        <p className="faces">
          {voters.map((voter, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two voters may have the same name.
            <Avatar key={n} {...voter} />
          ))}
          {others > 0 && <span className="face-count">{`+${formatCount(l, others)}`}</span>}
          <span className="visually-hidden">
            {m.lastVotesBy(l, { names: new Intl.ListFormat(l).format(voters.map(({ name }) => name)) })}
          </span>
        </p>
      )}
      {voterPage && <Link to={voterPage}>{m.voters(l)}</Link>}
    </section>
  );
}

function Tags({ post, answer }: Omit<PanelProps, 'preview'>) {
  const l = useLocale();
  const board = useBoard();
  const mayChange = post.rights.tags && post.allTags.length > 0;
  if (post.tags.length === 0 && !mayChange) return null;
  return (
    <Fact name={m.tags(l)}>
      {post.tags.map((tag) => (
        <Link key={tag.id} className="tag" to={`/b/${board?.pid}?show=all&tag=${encodeURIComponent(tag.slug)}`}>
          <Tag {...tag} />
        </Link>
      ))}
      {mayChange && <TagsPicker post={post} answer={answer} />}
    </Fact>
  );
}

function FieldValues({ type, values }: { type: PanelView['fields'][number]['type']; values: readonly string[] }) {
  const l = useLocale();
  const [value = ''] = values;
  switch (type) {
    case 'URL':
      return (
        <a href={value} rel="nofollow ugc noopener" dir="auto">
          {value}
        </a>
      );
    case 'CHECKBOX':
      return value === 'true' ? m.fieldYes(l) : m.fieldNo(l);
    case 'NUMBER':
      return formatCount(l, Number(value));
    case 'DATE':
      return formatDay(l, Date.parse(value));
    default:
      return <span dir="auto">{new Intl.ListFormat(l, { type: 'unit' }).format(values)}</span>;
  }
}

function Similar({ similar }: Pick<PanelView, 'similar'>) {
  const l = useLocale();
  const board = useBoard();
  if (similar.length === 0) return null;
  return (
    <section aria-labelledby="similar">
      <div className="eyebrow">
        <h2 id="similar">{m.similarTo(l)}</h2>
      </div>
      <ul className="brief">
        {similar.map(({ number, title, path, votes, isHeld, status }) => (
          <li key={number}>
            <Link to={`/b/${board?.pid}/${path}`}>
              <span className="brief-votes">
                {formatVotes(l, votes)}
                <span className="visually-hidden">{` ${m.votes(l, { count: votes })}`}</span>
              </span>
              <span>
                <bdi>{title}</bdi>
                {isHeld ? (
                  <span className="held">{m.waitsForApproval(l)}</span>
                ) : (
                  status && <StatusChip status={status} isBare />
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

const HEIGHT = 40;
/** The weeks that stand out. */
const LAST = 2;

/** The votes of each week as bars, the oldest first; nothing without weeks. */
function VoteChart({ weeks }: { weeks: readonly number[] }) {
  const l = useLocale();
  if (weeks.length === 0) return null;
  const most = Math.max(...weeks, 1);
  const step = 100 / weeks.length;
  const words = { weeks: weeks.length, least: Math.min(...weeks), most: Math.max(...weeks) };
  return (
    <svg className="vote-chart" height={HEIGHT} role="img" aria-label={m.votesPerWeek(l, words)}>
      {weeks.map((votes, week) => {
        const height = Math.max(2, (votes / most) * HEIGHT);
        const place = { x: `${week * step}%`, y: HEIGHT - height, width: `${step * 0.82}%`, height, rx: 2 };
        // biome-ignore lint/suspicious/noArrayIndexKey: the weeks are what is shown.
        return <rect key={week} {...place} data-last={week >= weeks.length - LAST || undefined} />;
      })}
    </svg>
  );
}
