import { InvalidArgumentError } from 'commander';
import type { ImportReport } from '../operations/imports/import.ts';
import type { Problem, SourceName } from '../operations/imports/items.ts';
import { keyOfStatus, type StatusChoices } from '../operations/imports/labels.ts';
import type { LastImport } from '../operations/imports/past-imports.ts';
import { isField, meanings } from '../operations/imports/sources/meanings.ts';
import type { Mapping, TableReading } from '../operations/imports/sources/survey.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { printable } from '../platform/texts/text.ts';

/** Problems that are printed; a file takes all of them. */
export const PRINTED = 20;

/** What `undo-import --plan` says. */
export function describeLast(last: LastImport | null): string {
  if (!last) return 'No import can be undone.';
  const { source, date, posts, changed, runs, leaves } = last;
  const ideas = quantity(posts, 'idea', 'ideas');
  const of = runs === 1 ? 'one import' : `${runs} imports, of which a later one added to the ideas of an earlier one`;
  const line = `${ideas} from ${source}, by ${of}, the last on ${new Date(date).toISOString()}.`;
  const rest = leaves ? '\nComments and votes that it added to ideas of earlier imports stay.' : '';
  if (changed === 0) return `Would remove ${line}${rest}`;
  const which = quantity(changed, 'idea was', 'ideas were');
  return `${line}\n${which} changed, commented or voted on since, so it cannot be undone.`;
}

/** How a table was read, and what can be said about it. */
export function describeReading({ encoding, dates, columns }: TableReading): string[] {
  const used = columns.filter(({ meaning }) => meaning !== null).map(({ name, meaning }) => `${meaning}=${name}`);
  const others = columns.filter(({ meaning, name }) => meaning === null && name !== '').map(({ name }) => name);
  const lines = ['', `Columns used: ${used.join(', ')}. Others can be named with --map.`];
  if (others.length > 0) lines.push(`Not used: ${others.join(', ')}.`);
  if (encoding !== 'utf-8') lines.push(`Read as ${encoding}; --encoding names another encoding.`);
  if (dates === 'ASK')
    lines.push('Dates such as 01/02/2025 fit two ways: add --dates day-first or --dates month-first.');
  return lines;
}

/** What an import did, or would do. @param first the first problems */
export function describe(
  { from, plan, problems }: { from: SourceName; plan: boolean; problems?: string },
  report: ImportReport,
  first: readonly Problem[],
): string {
  const { posts, comments, votes, voteCounts, reactions, entries, merges, files, people } = report;
  const { foundStatuses, statuses, tags } = report;
  const added = [
    quantity(posts.added, 'idea', 'ideas'),
    quantity(comments.added, 'comment', 'comments'),
    quantity(votes.added, 'vote', 'votes'),
    ...(voteCounts.added > 0 ? [quantity(voteCounts.added, 'vote without a name', 'votes without names')] : []),
    quantity(reactions.added, 'reaction', 'reactions'),
    quantity(people, 'user', 'users'),
    quantity(merges.added, 'merge', 'merges'),
    quantity(files, 'file', 'files'),
    quantity(entries.added, 'changelog entry', 'changelog entries'),
  ];
  const lines = [`${plan ? 'Would add' : 'Added'} ${added.join(', ')} from ${from}.`];
  if (statuses.length > 0) lines.push(`New statuses: ${statuses.join(', ')}.`);
  if (plan && foundStatuses.length > 0) {
    const pairs = foundStatuses.map(({ name, status }) => `${printable(name)}=${printable(status ?? '')}`);
    lines.push(`Statuses: ${pairs.join(', ')}. Others can be chosen with --status.`);
  }
  if (tags.length > 0) lines.push(`New tags: ${tags.join(', ')}.`);
  const tallies = [posts, comments, votes, voteCounts, reactions, entries, merges];
  const existing = tallies.reduce((sum, tally) => sum + tally.existing, 0);
  if (existing > 0) lines.push(`${quantity(existing, 'item', 'items')} existed already.`);
  if (plan && report.first.length > 0) lines.push('', 'The first ideas:', ...report.first.map(describeIdea));
  if (report.problems > 0) {
    const where = problems === undefined ? '; --problems FILE lists all' : `; all are in ${problems}`;
    lines.push('', `${quantity(report.problems, 'problem', 'problems')}${report.problems > PRINTED ? where : ''}:`);
    lines.push(...first.map(({ line, column, message }) => `  line ${line}${column ? `, ${column}` : ''}: ${message}`));
  }
  return lines.join('\n');
}

function describeIdea({ title, status, tags }: ImportReport['first'][number]): string {
  const details = [status, ...tags].filter((detail) => detail !== null).map((detail) => printable(detail, 50));
  return `  ${printable(title, 80)}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

/** Columns by what they are, of pairs such as `title=Subject`. @throws InvalidArgumentError */
export function parseMapping(text: string): Mapping {
  const pairs = text.split(',').map((pair) => pair.split('=', 2));
  for (const [target = '', column] of pairs) {
    const isKnown = meanings.some((known) => known === target.trim()) || isField(target.trim());
    if (!isKnown || !column) {
      const known = meanings.join(', ');
      throw new InvalidArgumentError(
        `It must be pairs such as title=Subject; the known names are ${known}, field <name>.`,
      );
    }
  }
  return Object.fromEntries(pairs.map(([target = '', column]) => [target.trim(), column]));
}

/**
 * Statuses of the source and of the board, of pairs such as `Offen=Open`. A name with a comma or "=" is given alone, in an option
 * of its own. @throws InvalidArgumentError
 */
export function parseStatuses(text: string, before: StatusChoices): StatusChoices {
  const parts = text.split(',');
  const pairs = parts.every((part) => part.split('=').length === 2) ? parts : [text];
  const chosen = pairs.map((pair) => {
    const at = pair.lastIndexOf('=');
    return [keyOfStatus(pair.slice(0, Math.max(at, 0))), pair.slice(at + 1).trim()] as const;
  });
  if (chosen.some(([name, status]) => !name || !status || status.length > 50)) {
    throw new InvalidArgumentError('It must be pairs such as "Offen=Open,Later=On hold".');
  }
  return new Map([...before, ...chosen]);
}

/** What was chosen for statuses that the source does not have, which may be a slip. */
export function describeUnused(chosen: StatusChoices, { foundStatuses }: ImportReport): string[] {
  const found = new Set(foundStatuses.map(({ name }) => keyOfStatus(name)));
  const unused = [...chosen.keys()].filter((key) => !found.has(key));
  return unused.length > 0
    ? [`No status of the source is called: ${unused.map((key) => printable(key)).join(', ')}.`]
    : [];
}
