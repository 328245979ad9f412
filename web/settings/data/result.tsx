import { Link } from 'react-router';
import type { ImportReport } from '#src/operations/imports/import.ts';
import type { Problem } from '#src/operations/imports/items.ts';
import { formatCount } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Table } from '../../parts/show/table.tsx';

/** What an import added, or would add. */
export function ImportSummary({ report }: { report: ImportReport }) {
  const l = useLocale();
  const { posts, comments, votes, voteCounts, reactions, entries, merges, statuses, tags } = report;
  const tallies = [posts, comments, votes, voteCounts, reactions, entries, merges];
  const existing = tallies.reduce((sum, tally) => sum + tally.existing, 0);
  const names = (list: readonly string[]) => new Intl.ListFormat(l).format(list);
  return (
    <>
      <Counts report={report} />
      {existing > 0 && <p>{m.importExisting(l, { count: existing })}</p>}
      {statuses.length > 0 && <p>{m.importStatuses(l, { names: names(statuses) })}</p>}
      {tags.length > 0 && <p>{m.importTags(l, { names: names(tags) })}</p>}
    </>
  );
}

type DetailsProps = { report: ImportReport; problems: readonly Problem[]; isPlan: boolean };

/** The first of what would be added, and what is wrong with the file. */
export function ImportDetails({ report, problems, isPlan }: DetailsProps) {
  // Ideas without a title are among the problems.
  const first = report.first.filter(({ title }) => title.trim() !== '');
  return (
    <>
      {isPlan && first.length > 0 && <FirstIdeas ideas={first} />}
      {report.problems > 0 && <Problems count={report.problems} problems={problems} />}
    </>
  );
}

function Counts({ report }: { report: ImportReport }) {
  const { posts, comments, votes, voteCounts, reactions, people, merges, files, entries } = report;
  const l = useLocale();
  const counts: [words: string, count: number, isShown: boolean][] = [
    [m.countIdeas(l), posts.added, true],
    [m.importComments(l), comments.added, true],
    [m.importVotes(l), votes.added, true],
    [m.importVoteCounts(l), voteCounts.added, voteCounts.added > 0],
    [m.importPeople(l), people, true],
    [m.importMerges(l), merges.added, merges.added > 0],
    [m.importFiles(l), files, files > 0],
    [m.importReactions(l), reactions.added, reactions.added > 0],
    [m.importEntries(l), entries.added, entries.added > 0],
  ];
  return (
    <dl className="counts">
      {counts.map(
        ([words, count, isShown]) =>
          isShown && (
            <div key={words}>
              <dt className="muted small">{words}</dt>
              <dd>{formatCount(l, count)}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function FirstIdeas({ ideas }: { ideas: ImportReport['first'] }) {
  const l = useLocale();
  return (
    <details>
      <summary>{m.importFirst(l)}</summary>
      <ul className="bullets">
        {ideas.map(({ title, status, tags }, n) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: ideas may have the same title, and never change places.
          <li key={n}>
            <bdi>{title}</bdi>{' '}
            <span className="muted small">
              <bdi>{[status, ...tags].filter(Boolean).join(', ')}</bdi>
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Problems({ count, problems }: { count: number; problems: readonly Problem[] }) {
  const l = useLocale();
  return (
    <div className="stack">
      <h3>{m.importProblems(l, { count })}</h3>
      <p className="muted">{m.importProblemsHelp(l)}</p>
      <Table
        className="table lines"
        rows={problems}
        keyOf={(_, n) => n}
        headerAt={-1}
        columns={[
          { name: m.importLine(l), className: 'whole', cell: ({ line }) => line },
          {
            name: m.importProblem(l),
            cell: ({ column, message }) => (
              <bdi lang="en">
                {column && <>{column}: </>}
                {message}
              </bdi>
            ),
          },
        ]}
      />
      <p>
        <Link to="problems" reloadDocument>
          {m.importDownload(l)}
        </Link>
      </p>
    </div>
  );
}
