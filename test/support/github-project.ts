import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { components } from '@octokit/openapi-types';
import { type Received, startReceiver } from './receiver.ts';
import type { Troubles } from './troubles.ts';

export const PROJECT_TOKEN = 'github_pat_test';
const REPO = '/api/v3/repos/acme/app';

type Schemas = components['schemas'];
/** What Earshot reads of these, with the types of GitHub's own description. */
type Issue = Pick<Schemas['issue'], 'number' | 'html_url' | 'title' | 'state' | 'state_reason' | 'updated_at'> & {
  body: string | null;
  created_at: string;
};
type Comment = Pick<Schemas['issue-comment'], 'id'> & { body: string; issue: number; created_at: string };
type Release = Pick<Schemas['release'], 'tag_name' | 'name' | 'draft' | 'published_at'> & { body: string | null };

type Answers = Troubles & { strike(response: ServerResponse): boolean };

/** What a project at GitHub has, and what it was asked to make. */
export class GithubProject {
  readonly issues: Issue[] = [];
  readonly releases: Release[] = [];
  comments: Comment[] = [];
  /** Whether what is made is answered: otherwise the connection breaks after it was made. */
  isMute = false;
  /** The time by which it dates, in milliseconds. */
  now: () => number;
  origin = '';
  #ids = 1_000;

  constructor(now: () => number) {
    this.now = now;
  }

  open(title: string, body: string | null = null): Issue {
    const number = this.issues.length + 1;
    const at = this.#instant();
    const html_url = `${this.origin}/acme/app/issues/${number}`;
    const issue = { number, html_url, title, body, state: 'open', state_reason: null, created_at: at, updated_at: at };
    this.issues.push(issue);
    return issue;
  }

  change(issue: Issue, changes: Partial<Issue>): Issue {
    return Object.assign(issue, changes, { updated_at: this.#instant() });
  }

  close(issue: Issue, reason: 'completed' | 'not_planned' = 'completed'): Issue {
    return this.change(issue, { state: 'closed', state_reason: reason });
  }

  release(tag: string, body: string): Release {
    const release = { tag_name: tag, name: `Version ${tag}`, body, draft: false, published_at: this.#instant() };
    this.releases.unshift(release);
    return release;
  }

  /** The bodies of the comments on an issue. */
  said(number: number): string[] {
    return this.comments.filter(({ issue }) => issue === number).map(({ body }) => body);
  }

  /** Answers as https://docs.github.com/en/rest describes, of which it knows issues, their comments, and releases. */
  answer({ method, url, body, headers }: Received, send: Send): unknown {
    if (headers.authorization !== `Bearer ${PROJECT_TOKEN}`) return send(401, { message: 'Bad credentials' });
    const asked = new URL(url, this.origin);
    const path = asked.pathname;
    const written: { title?: string; body?: string } = body.length > 0 ? JSON.parse(body.toString()) : {};
    const ofComment = /\/issues\/comments\/(\d+)$/.exec(path)?.[1];
    const ofIssue = /\/issues\/(\d+)(\/comments)?$/.exec(path);
    const issue = this.issues.find(({ number }) => number === Number(ofIssue?.[1]));
    const comment = this.comments.find(({ id }) => id === Number(ofComment));
    if (path === REPO) return send(200, { full_name: 'acme/app' });
    if (path === `${REPO}/releases`) return send(200, this.releases);
    if (path === `${REPO}/issues` && method === 'POST')
      return send(201, this.open(written.title ?? '', written.body ?? null));
    if (path === `${REPO}/issues`) return this.#list(this.issues, asked, send);
    if ((ofIssue && !issue) || (ofComment && !comment)) return send(404, { message: 'Not Found' });
    if (comment && method === 'PATCH') return send(200, Object.assign(comment, { body: written.body }));
    if (comment && method === 'DELETE') {
      this.comments = this.comments.filter((each) => each !== comment);
      return send(204, null);
    }
    if (issue && ofIssue?.[2] && method === 'POST') {
      const made = { id: this.#ids++, issue: issue.number, body: written.body ?? '', created_at: this.#instant() };
      this.comments.push(made);
      this.change(issue, {});
      return send(201, made);
    }
    if (issue && ofIssue?.[2])
      return this.#list(
        this.comments.filter((each) => each.issue === issue.number),
        asked,
        send,
      );
    return issue && method === 'GET' ? send(200, issue) : send(404, { message: 'Not Found' });
  }

  #list(items: readonly (Issue | Comment)[], { searchParams, pathname }: URL, send: Send): unknown {
    const since = searchParams.get('since') ?? '';
    const by = searchParams.get('sort') === 'updated' ? 'updated_at' : 'created_at';
    const dated = items.map((item) => ({ item, at: by in item ? (item as Issue)[by] : item.created_at }));
    const sorted = dated.filter(({ item, at }) => ('updated_at' in item ? item.updated_at : at) >= since);
    sorted.sort((a, b) => (a.at < b.at ? -1 : 1));
    if (searchParams.get('direction') === 'desc') sorted.reverse();
    const [page, perPage] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 30)];
    searchParams.set('page', String(page + 1));
    const next = `<${this.origin}${pathname}?${searchParams}>; rel="next"`;
    const hasMore = page * perPage < sorted.length;
    const rows = sorted.slice((page - 1) * perPage, page * perPage).map(({ item }) => item);
    return send(200, rows, hasMore ? { link: next } : {});
  }

  /** GitHub's times have seconds. */
  #instant(): string {
    return new Date(this.now()).toISOString().replace(/\.\d+Z$/, 'Z');
  }
}

type Send = (status: number, value: unknown, headers?: Record<string, string>) => unknown;

/** Serves a project with the faults that an API on the internet has, if any are given. */
export async function startGithubProject(t: TestContext, project: GithubProject, troubles?: Answers) {
  const { origin, received } = await startReceiver(t, (request, response) => {
    if (troubles?.strike(response)) return;
    project.answer(request, (status, value, headers = {}) => {
      if (project.isMute && request.method !== 'GET') return response.destroy();
      const date = new Date(project.now()).toUTCString();
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', date, ...headers });
      return response.end(value === null ? undefined : JSON.stringify(value));
    });
  });
  project.origin = origin;
  return { origin, received };
}
