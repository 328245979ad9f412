import type { components } from '@octokit/openapi-types';
import { sign } from '@octokit/webhooks-methods';
import {
  type Hook,
  OWN_ACCOUNT,
  type PlayedComment,
  type PlayedIssue,
  PlayedProject,
  type PlayedRelease,
  PROJECT_ID,
  PROJECT_TOKEN,
  written,
} from './played-project.ts';

const REPO = '/api/v3/repos/acme/app';

type Schemas = components['schemas'];
/** What Earshot reads of these, with the types of GitHub's own description. */
type Issue = Pick<Schemas['issue'], 'number' | 'html_url' | 'title' | 'state' | 'state_reason' | 'updated_at'> & {
  body: string | null;
  created_at: string;
};
type Comment = Pick<Schemas['issue-comment'], 'id' | 'body'>;
type Release = Pick<Schemas['release'], 'tag_name' | 'name' | 'draft' | 'prerelease' | 'published_at'> & {
  body: string | null;
};

const reasons = { OPEN: null, COMPLETED: 'completed', NOT_PLANNED: 'not_planned' } as const;

/** A repository at GitHub, as https://docs.github.com/en/rest describes it: issues, their comments, and releases. */
export class GithubProject extends PlayedProject {
  readonly kind = 'GITHUB' as const;

  async hookOf(action: string, issue: PlayedIssue, secret: string): Promise<Hook> {
    return hook(
      'issues',
      { action, issue: viewIssue(issue), repository: { id: this.id, full_name: this.name } },
      secret,
    );
  }

  otherHook(secret: string): Promise<Hook> {
    return hook('ping', { zen: 'x' }, secret);
  }

  protected pathOf(number: number): string {
    return `/acme/app/issues/${number}`;
  }

  protected isSignedIn({ authorization }: Record<string, unknown>): boolean {
    return authorization === `Bearer ${PROJECT_TOKEN}`;
  }

  protected answerTo(...[{ method, asked, written: given }, send]: Parameters<PlayedProject['answerTo']>): unknown {
    const path = asked.pathname;
    const ofComment = /\/issues\/comments\/(\d+)$/.exec(path)?.[1];
    const ofIssue = /\/issues\/(\d+)(\/comments)?$/.exec(path);
    const issue = this.issues.find(({ number }) => number === Number(ofIssue?.[1]));
    const comment = this.comments.find(({ id }) => id === Number(ofComment));
    if (path === REPO) return send(200, { id: PROJECT_ID, full_name: 'acme/app' });
    if (path === `${REPO}/releases`) return send(200, this.releases.map(viewRelease));
    if (path === `${REPO}/issues` && method === 'POST')
      return send(201, viewIssue(this.open(String(given.title), String(given.body ?? ''))));
    if (path === `${REPO}/issues`) return this.sendPage(this.#listed(asked).map(viewIssue), asked, send);
    if ((ofIssue && !issue) || (ofComment && !comment)) return send(404, { message: 'Not Found' });
    if (comment && method === 'PATCH')
      return send(200, viewComment(Object.assign(comment, { text: String(given.body) })));
    if (comment && method === 'DELETE') {
      this.comments = this.comments.filter((each) => each !== comment);
      return send(204, null);
    }
    if (issue && ofIssue?.[2] && method === 'POST')
      return send(201, viewComment(this.comment(issue, String(given.body))));
    if (issue && ofIssue?.[2]) {
      const since = Date.parse(asked.searchParams.get('since') ?? '') || 0;
      const rows = this.comments.filter((each) => each.issue === issue.number && each.created >= since);
      return this.sendPage(rows.map(viewComment), asked, send);
    }
    return issue && method === 'GET' ? send(200, viewIssue(issue)) : send(404, { message: 'Not Found' });
  }

  /** `since` is about the last change, whatever the order. */
  #listed({ searchParams }: URL): PlayedIssue[] {
    const since = Date.parse(searchParams.get('since') ?? '') || 0;
    const by = searchParams.get('sort') === 'updated' ? 'changed' : 'created';
    const sorted = this.issues.filter(({ changed }) => changed >= since).sort((a, b) => a[by] - b[by]);
    return searchParams.get('direction') === 'desc' ? sorted.reverse() : sorted;
  }
}

function viewIssue(issue: PlayedIssue): Issue & { user: { id: number } } {
  return {
    user: { id: OWN_ACCOUNT },
    number: issue.number,
    html_url: issue.url,
    title: issue.title,
    body: issue.text,
    state: issue.state === 'OPEN' ? 'open' : 'closed',
    state_reason: reasons[issue.state],
    created_at: written(issue.created),
    updated_at: written(issue.changed),
  };
}

function viewComment({ id, text, by }: PlayedComment): Comment & { user: { id: number } } {
  return { id: Number(id), body: text, user: { id: by } };
}

function viewRelease({ tag, name, text, published }: PlayedRelease): Release {
  return { tag_name: tag, name, body: text, draft: false, prerelease: false, published_at: written(published) };
}

async function hook(event: string, payload: object, secret: string): Promise<Hook> {
  const body = JSON.stringify(payload);
  const headers = {
    'content-type': 'application/json',
    'x-github-event': event,
    'x-hub-signature-256': await sign(secret, body),
  };
  return { headers, body };
}
