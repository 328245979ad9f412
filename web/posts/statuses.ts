import { initialNameOf, type StatusRow } from '#src/feedback/statuses/statuses.ts';
import { tintOf } from '#src/platform/lib/contrast.ts';
import type { IconName } from '../icons/compile.ts';
import { localize } from '../lib/localize.ts';

/** A status as pages show it: its name, its icon, and its color as hue and share of chroma. */
export type StatusView = { name: string; ring: IconName; hue: number; tint: number };

/** The icons of CUSTOM statuses, from the first to the last. */
const steps = ['ring-dot', 'ring-quarter', 'ring-half', 'ring-most'] as const;

/** The name of a status in the language of the page, see `initialNameOf`. */
export function nameOfStatus(name: string): string {
  return localize(name, initialNameOf(name));
}

/** Returns a function that gives the view of a board's status. */
export function statusViewOf(statuses: readonly StatusRow[], nameOf = nameOfStatus): (status: StatusRow) => StatusView {
  const own = statuses.filter(({ type }) => type === 'CUSTOM');
  // Most boards have two or three, of which the last is in progress.
  const from = Math.max(0, 3 - own.length);
  return (status) => ({
    name: nameOf(status.name),
    ring: ringOf(status.type, from + own.findIndex(({ id }) => id === status.id)),
    ...tintOf(status.color),
  });
}

function ringOf(type: StatusRow['type'], step: number): IconName {
  switch (type) {
    case 'UNASSIGNED':
      return 'ring-open';
    case 'CUSTOM':
      return steps[step] ?? 'ring-most';
    case 'COMPLETED':
      return 'ring-done';
    case 'ARCHIVED':
      return 'ring-closed';
    case 'MERGED':
      return 'git-merge';
    default:
      return type satisfies never;
  }
}
