import type { Client } from '../crash/client.ts';
import { ADMIN } from '../crash/load.ts';
import type { Owner } from '../crash/owner.ts';
import type { Kind } from './traffic.ts';

const WORDS = ['dark', 'export', 'mobile', 'search', 'calendar'];
/** Posts of the sample that are asked for, by number. */
const ASKED = 200;

const READS = [
  '{ posts(limit: 20) { nodes { id number title upvoteCount status { name } } } }',
  '{ posts(limit: 20, sort: NEWEST) { nodes { id title author { id name } comments(limit: 3) { nodes { id text } } } } }',
  'query($number: Int!) { postByNumber(number: $number) { id title commentCount comments(limit: 20) { nodes { id text user { name } } } } }',
  'query($words: String!) { posts(limit: 20, search: $words) { nodes { id title } } }',
  '{ roadmap { status { name } posts(limit: 10) { nodes { id title } } } }',
  '{ changelog(limit: 10) { nodes { id title text } } }',
];

/** What programs read of a board. */
export function readsOf(client: Client): Kind {
  return {
    name: 'read',
    perSecond: 15,
    async ask(n) {
      const query = READS[n % READS.length] ?? '';
      const all = { number: 1 + ((n * 37) % ASKED), words: WORDS[n % WORDS.length] };
      const variables = Object.fromEntries(Object.entries(all).filter(([name]) => query.includes(`$${name}`)));
      const { status, data, errors } = await client.send(query, variables, ADMIN);
      const isFull = status === 200 && errors.length === 0 && Object.values(data ?? {}).every(hasSomething);
      return isFull ? null : `${status} ${JSON.stringify({ errors, data, variables }).slice(0, 500)} ${query}`;
    },
  };
}

/** A list that has nothing would take no time to read. */
function hasSomething(value: unknown): boolean {
  const list = Array.isArray(value) ? value : ((value as { nodes?: unknown[] } | undefined)?.nodes ?? [value]);
  return list.length > 0 && list.every((one) => one !== null);
}

/** The pages of visitors without a session. */
export function visitsTo(origin: string, home: string): Kind {
  const pages = [
    '',
    '/roadmap',
    '/changelog',
    '?sort=newest',
    '/posts.atom',
    '/posts/N',
    '/posts/N',
    '?q=W',
    '/sign-in',
  ];
  return {
    name: 'page',
    perSecond: 5,
    async ask(n) {
      const path = pathOf(home, pages, n);
      const response = await fetch(`${origin}${path}`);
      await response.arrayBuffer();
      return response.ok ? null : `${response.status} ${path}`;
    },
  };
}

/** The pages of a user who has signed in. */
export function visitsOf({ home, send }: Owner): Kind {
  const pages = [
    '',
    '/posts/N',
    '/settings',
    '/settings/webhooks',
    '/triage',
    '/inbox',
    '/activity',
    '/settings/numbers',
  ];
  return {
    name: 'page, signed in',
    perSecond: 3,
    async ask(n) {
      const path = pathOf(home, pages, n);
      const { status } = await send(path);
      // The address of a post has its title, too, and the triage begins with its first one.
      return status === 200 || (status < 400 && /\/(posts|triage)/.test(path)) ? null : `${status} ${path}`;
    },
  };
}

function pathOf(home: string, pages: readonly string[], n: number): string {
  const page = pages[n % pages.length] ?? '';
  if (page === '/sign-in') return page;
  return home + page.replace('N', String(1 + ((n * 37) % ASKED))).replace('W', WORDS[n % WORDS.length] ?? '');
}
