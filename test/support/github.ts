import type { TestContext } from 'node:test';
import { startReceiver } from './receiver.ts';
import { Troubles } from './troubles.ts';

export const GITHUB_TOKEN = 'ghp_test';

type Issue = {
  number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  state_reason: string | null;
  login: string;
  labels: string[];
  created_at: string;
  updated_at: string;
  isPull?: boolean;
};
type Comment = { id: number; issue: number; body: string; login: string; created_at: string };

/** What a repository has, which tests change while it is read. */
export class Repository {
  readonly issues: Issue[] = [];
  readonly comments: Comment[] = [];
  /** Who gave which issue a thumbs up. */
  readonly thumbs = new Map<number, string[]>();

  open(title: string, more: Partial<Issue> = {}): Issue {
    const number = this.issues.length + 1;
    const created = new Date(Date.UTC(2024, 0, 1, 0, number)).toISOString();
    const state = { state: 'open', state_reason: null } as const;
    const written = { body: `Because of ${number}.`, login: `octo${number % 7}`, labels: [] };
    const issue = { number, title, ...written, ...state, created_at: created, updated_at: created, ...more };
    this.issues.push(issue);
    return issue;
  }

  comment(issue: number, body: string): void {
    const id = 9000 + this.comments.length;
    this.comments.push({ id, issue, body, login: 'hubot', created_at: new Date().toISOString() });
    this.touch(issue, {});
  }

  touch(number: number, changes: Partial<Issue>): void {
    const issue = this.issues.find((known) => known.number === number);
    if (issue) Object.assign(issue, changes, { updated_at: new Date().toISOString() });
  }
}

/**
 * A server that answers as the reference of GitHub's REST API says (docs.github.com/en/rest/issues/issues,
 * …/issues/comments, …/reactions/reactions): pages by the header `link`, `since`, pull requests among the issues.
 */
export async function startGithub(t: TestContext, repository: Repository, troubles = new Troubles()) {
  const { origin, received } = await startReceiver(t, ({ url, headers }, response) => {
    if (troubles.strike(response)) return;
    const send = (status: number, value: unknown, more: object = {}) =>
      response
        .writeHead(status, {
          'content-type': 'application/json; charset=utf-8',
          'x-ratelimit-remaining': '4999',
          ...more,
        })
        .end(JSON.stringify(value));
    const isKnown = headers.authorization === undefined || headers.authorization === `Bearer ${GITHUB_TOKEN}`;
    if (!isKnown) return send(401, { message: 'Bad credentials', status: '401' });
    const asked = new URL(url, origin);
    const items = listOf(repository, asked, origin);
    if (items === null) return send(404, { message: 'Not Found', status: '404' });
    const perPage = Number(asked.searchParams.get('per_page') ?? 30);
    const page = Number(asked.searchParams.get('page') ?? 1);
    const hasMore = page * perPage < items.length;
    asked.searchParams.set('page', String(page + 1));
    const link = hasMore ? { link: `<${asked.href}>; rel="next", <${origin}/last>; rel="last"` } : {};
    send(200, items.slice((page - 1) * perPage, page * perPage), link);
  });
  return { url: `${origin}/repos/acme/app`, received };
}

function listOf({ issues, comments, thumbs }: Repository, asked: URL, origin: string): object[] | null {
  const since = asked.searchParams.get('since') ?? '';
  const repo = `${origin}/repos/acme/app`;
  const [, number] = /^\/repos\/acme\/app\/issues\/(\d+)\/reactions$/.exec(asked.pathname) ?? [];
  const userOf = (login: string) => ({ login, id: 1, type: 'User' });
  if (number !== undefined) {
    const logins = thumbs.get(Number(number)) ?? [];
    return logins.map((login, id) => ({ id, user: userOf(login), content: '+1', created_at: '2024-05-01T00:00:00Z' }));
  }
  if (asked.pathname === '/repos/acme/app/issues') {
    const inState = issues.filter(({ state }) => asked.searchParams.get('state') === 'all' || state === 'open');
    const found = inState.filter(({ updated_at }) => updated_at >= since);
    const ascending = asked.searchParams.get('direction') === 'asc' ? found : found.toReversed();
    return ascending.map(({ login, labels, isPull, ...issue }) => ({
      ...issue,
      id: 70_000 + issue.number,
      node_id: `I_${issue.number}`,
      user: userOf(login),
      labels: labels.map((name) => ({ id: 1, name, color: 'ededed' })),
      comments: comments.filter(({ issue: on }) => on === issue.number).length,
      reactions: { '+1': thumbs.get(issue.number)?.length ?? 0, '-1': 1, total_count: 1 },
      ...(isPull && { pull_request: { url: `${repo}/pulls/${issue.number}` } }),
    }));
  }
  if (asked.pathname !== '/repos/acme/app/issues/comments') return null;
  const found = comments.filter(({ created_at }) => created_at >= since);
  return found.map(({ id, issue, body, login, created_at }) => ({
    id,
    node_id: `IC_${id}`,
    html_url: `https://github.com/acme/app/${issues[issue - 1]?.isPull ? 'pull' : 'issues'}/${issue}#issuecomment-${id}`,
    issue_url: `${repo}/issues/${issue}`,
    user: userOf(login),
    body,
    created_at,
    updated_at: created_at,
  }));
}
