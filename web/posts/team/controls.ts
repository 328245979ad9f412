import type { ParameterName } from '#src/feedback/views/parameters.ts';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';

/** How a parameter is chosen in a form; `options` are those of every board, others come with the page. */
export type Control = { as: 'many' | 'one' | 'number' | 'yes'; words: string; options?: Record<string, string> };

/** The control of each parameter; null for those that the page chooses by links. */
export const controls: Record<ParameterName, (l: Locale) => Control | null> = {
  list: () => null,
  sort: () => null,
  show: () => null,
  status: (l) => ({ as: 'many', words: m.status(l) }),
  tag: (l) => ({ as: 'many', words: m.tags(l) }),
  field: (l) => ({ as: 'many', words: m.fields(l) }),
  assignee: (l) => ({
    as: 'one',
    words: m.assignee(l),
    options: { me: m.filterMe(l), none: m.assignedToNoOne(l) },
  }),
  segment: (l) => ({ as: 'one', words: m.filterSegment(l) }),
  by: (l) => ({
    as: 'one',
    words: m.sortBy(l),
    options: { people: m.people(l), companies: m.companies(l), revenue: m.monthlyRevenue(l) },
  }),
  votes: (l) => ({ as: 'number', words: m.filterVotes(l) }),
  newer: (l) => ({ as: 'number', words: m.filterNewer(l) }),
  older: (l) => ({ as: 'number', words: m.filterOlder(l) }),
  waiting: (l) => ({ as: 'yes', words: m.filterWaiting(l) }),
  role: (l) => ({
    as: 'many',
    words: m.role(l),
    options: {
      MEMBER: m.roleMember(l),
      MODERATOR: m.roleModerator(l),
      ADMIN: m.roleAdmin(l),
      OWNER: m.roleOwner(l),
    },
  }),
  standing: (l) => ({
    as: 'many',
    words: m.filterStanding(l),
    options: { TRUSTED: m.trusted(l), BLOCKED: m.blocked(l) },
  }),
  among: (l) => ({ as: 'one', words: m.filterSegment(l) }),
  // Chosen by the links of companies.
  company: () => null,
  newsletter: (l) => ({ as: 'yes', words: m.filterNewsletter(l) }),
  voted: (l) => ({
    as: 'one',
    words: m.votesName(l),
    options: { ever: m.filterVotedEver(l), never: m.filterVotedNever(l) },
  }),
  voting: (l) => ({ as: 'number', words: m.filterVoting(l) }),
  active: (l) => ({ as: 'number', words: m.filterActive(l) }),
};

/** The control of a parameter of any name. */
export function controlOf(l: Locale, name: string): Control | null {
  return Object.hasOwn(controls, name) ? controls[name as ParameterName](l) : null;
}
