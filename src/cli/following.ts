import { InvalidArgumentError } from 'commander';
import { makeFileFolder } from '../feedback/files/folder.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { type FollowedSource, follow, followedSources } from '../operations/imports/follow.ts';
import type { ImportReport } from '../operations/imports/import.ts';
import type { Problem } from '../operations/imports/items.ts';
import type { StatusChoices } from '../operations/imports/labels.ts';
import type { Patience } from '../operations/imports/remote.ts';
import { isUrl, openSource, type SourceOptions } from '../operations/imports/sources.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/lib/clock.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { printable } from '../platform/texts/text.ts';
import type { Store } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

const UNITS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS };

type Following = OutputOptions & { from: FollowedSource; place: string; everyMs: number; statuses: StatusChoices };

/** A pause such as 30s, 5m or 1h, in milliseconds. */
export function parsePause(text: string): number {
  const [, count = '', unit = 's'] = /^(\d{1,5})([smh])?$/.exec(text.trim()) ?? [];
  const ms = Number(count) * (UNITS[unit] ?? 0);
  if (ms >= SECOND_MS && ms <= DAY_MS) return ms;
  throw new InvalidArgumentError('It must be a time such as 30s, 5m or 1h, of at most a day.');
}

/** Whether changes at a place can be followed. */
export function isFollowable(from: string | undefined, place: string): boolean {
  return isUrl(place) && followedSources.some((known) => known === from);
}

/** Whose changes are followed. @throws if that is not an API that can be */
export function requireFollowed(from: string | undefined, place: string): FollowedSource {
  const found = followedSources.find((known) => known === from);
  if (found && isUrl(place)) return found;
  const products = new Intl.ListFormat('en', { type: 'disjunction' }).format(followedSources);
  throw new Error(`--follow takes the address of an API --from ${products}`);
}

/**
 * `import --follow`: imports, and takes in what changes until SIGINT or SIGTERM.
 * @param optionsOf what the source needs, with requests that are as patient as that
 */
export async function followTo(
  context: RequestContext,
  { config }: Store,
  { from, place, everyMs, statuses, ...output }: Following,
  terminal: Terminal,
  { optionsOf, describeFirst, onProblem, onProgress }: FollowingParts,
): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const tell = (value: object, words: string) =>
    print(terminal, output, { time: new Date().toISOString(), ...value }, `${new Date().toISOString()} ${words}`);
  const onTrouble = (words: string, ms: number) => {
    if (ms < SECOND_MS) return;
    tell({ trouble: words, seconds: Math.ceil(ms / SECOND_MS) }, `${words}. Trying again in ${describePause(ms)}.`);
  };
  const options = optionsOf({ isEndless: true, onPause: onTrouble, stopping: stop.signal });
  await follow(context, from, (look) => openSource(from, place, options, look), {
    everyMs,
    statuses,
    folder: makeFileFolder(config.dataDir),
    stopping: stop.signal,
    onTrouble,
    onProgress,
    onProblem: (problem, round) => {
      onProblem(problem);
      if (round > 0) tell({ problem: problem.message }, printable(problem.message));
    },
    onRound: (report, round) => {
      const { first: _, ...counts } = report;
      if (round === 0)
        tell(
          counts,
          `${describeFirst(report)}\nFollowing ${from}: looking again every ${describePause(everyMs)}. Ctrl-C stops it; the same command continues.`,
        );
      else if (hasNews(report)) tell(counts, `${describeNews(report)} from ${from}.`);
    },
  });
  tell({ stopped: true }, 'Stopped. The same command continues.');
}

type FollowingParts = {
  optionsOf: (patience: Patience) => SourceOptions;
  describeFirst: (report: ImportReport) => string;
  onProblem: (problem: Problem) => void;
  onProgress: (items: number) => void;
};

function hasNews({ posts, comments, votes, voteCounts, merges, changed }: ImportReport): boolean {
  return changed > 0 || [posts, comments, votes, voteCounts, merges].some(({ added }) => added > 0);
}

/** What a look has brought, without what it has not. */
function describeNews({ posts, comments, votes, voteCounts, merges, changed }: ImportReport): string {
  const added = [
    posts.added > 0 && quantity(posts.added, 'new idea', 'new ideas'),
    comments.added > 0 && quantity(comments.added, 'comment', 'comments'),
    votes.added > 0 && quantity(votes.added, 'vote', 'votes'),
    voteCounts.added > 0 && quantity(voteCounts.added, 'vote without a name', 'votes without names'),
    merges.added > 0 && quantity(merges.added, 'merge', 'merges'),
    changed > 0 && quantity(changed, 'changed idea', 'changed ideas'),
  ];
  return added.filter((part) => part !== false).join(', ');
}

function describePause(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  if (seconds < 120) return quantity(seconds, 'second', 'seconds');
  return quantity(Math.round(seconds / 60), 'minute', 'minutes');
}
