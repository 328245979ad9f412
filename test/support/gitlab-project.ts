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

const PROJECT = '/api/v4/projects/acme%2Fapp';

/**
 * A project at GitLab, as https://docs.gitlab.com/api/issues/, /notes/ and /releases/ describe it, with requests as
 * https://docs.gitlab.com/user/project/integrations/webhook_events/ shows them.
 */
export class GitlabProject extends PlayedProject {
  readonly kind = 'GITLAB' as const;

  async hookOf(action: string, issue: PlayedIssue, secret: string): Promise<Hook> {
    const { number: iid, url, title, text: description } = issue;
    const state = issue.state === 'OPEN' ? 'opened' : 'closed';
    // Dates in requests have had several forms.
    const updated_at = new Date(issue.changed).toISOString().replace('T', ' ').replace('.000Z', ' UTC');
    const object_attributes = { id: 301, iid, url, title, description, state, action, updated_at, type: 'Issue' };
    const project = { ...PLACE, id: this.id };
    return hook('Issue Hook', { object_kind: 'issue', project, object_attributes }, secret);
  }

  async otherHook(secret: string): Promise<Hook> {
    return hook('Push Hook', { object_kind: 'push', project: PLACE, commits: [] }, secret);
  }

  protected pathOf(number: number): string {
    return `/acme/app/-/issues/${number}`;
  }

  protected isSignedIn(headers: Record<string, unknown>): boolean {
    return headers['private-token'] === PROJECT_TOKEN;
  }

  protected answerTo(...[{ method, asked, written: given }, send]: Parameters<PlayedProject['answerTo']>): unknown {
    const path = asked.pathname;
    const [, ofIssue, notes, ofNote] = /\/issues\/(\d+)(\/notes)?(?:\/(\d+))?$/.exec(path) ?? [];
    const issue = this.issues.find(({ number }) => number === Number(ofIssue));
    const note = this.comments.find((each) => each.issue === issue?.number && each.id === Number(ofNote));
    if (path === PROJECT) return send(200, PLACE);
    if (path === `${PROJECT}/releases`) return send(200, this.releases.map(viewRelease));
    if (path === `${PROJECT}/issues` && method === 'POST')
      return send(201, viewIssue(this.open(String(given.title), String(given.description ?? ''))));
    if (path === `${PROJECT}/issues`) return this.sendPage(this.#listed(asked).map(viewIssue), asked, send);
    if (!path.startsWith(PROJECT) || !issue || (ofNote && !note)) return send(404, { message: '404 Not found' });
    if (note && method === 'PUT') return send(200, viewNote(Object.assign(note, { text: String(given.body) })));
    if (note && method === 'DELETE') {
      this.comments = this.comments.filter((each) => each !== note);
      return send(204, null);
    }
    if (notes && method === 'POST') return send(201, viewNote(this.comment(issue, String(given.body))));
    if (notes) {
      const rows = this.comments.filter((each) => each.issue === issue.number).reverse();
      return this.sendPage(rows.map(viewNote), asked, send);
    }
    return method === 'GET' ? send(200, viewIssue(issue)) : send(405, { error: '405 Method Not Allowed' });
  }

  #listed({ searchParams }: URL): PlayedIssue[] {
    const from = (name: string) => Date.parse(searchParams.get(name) ?? '') || 0;
    const by = searchParams.get('order_by') === 'updated_at' ? 'changed' : 'created';
    const [created, changed] = [from('created_after'), from('updated_after')];
    const found = this.issues.filter((issue) => issue.created >= created && issue.changed >= changed);
    const sorted = found.sort((a, b) => a[by] - b[by]);
    return searchParams.get('sort') === 'asc' ? sorted : sorted.reverse();
  }
}

const PLACE = { id: PROJECT_ID, name: 'App', path_with_namespace: 'acme/app' };

/** Issues are closed without a reason, but for duplicates and those that were moved. */
function viewIssue(issue: PlayedIssue) {
  const duplicate = issue.state === 'NOT_PLANNED' ? 'https://gitlab.example.com/api/v4/projects/1/issues/75' : null;
  return {
    id: 1_000 + issue.number,
    iid: issue.number,
    web_url: issue.url,
    title: issue.title,
    description: issue.text,
    author: { id: OWN_ACCOUNT },
    state: issue.state === 'OPEN' ? 'opened' : 'closed',
    created_at: new Date(issue.created).toISOString(),
    updated_at: new Date(issue.changed).toISOString(),
    moved_to_id: null,
    _links: { closed_as_duplicate_of: duplicate },
  };
}

function viewNote({ id, text, created, by }: PlayedComment) {
  return { id, body: text, author: { id: by }, system: false, created_at: new Date(created).toISOString() };
}

function viewRelease({ tag, name, text, published }: PlayedRelease) {
  return { tag_name: tag, name, description: text, released_at: written(published), upcoming_release: false };
}

function hook(event: string, payload: object, secret: string): Hook {
  const headers = { 'content-type': 'application/json', 'x-gitlab-event': event, 'x-gitlab-token': secret };
  return { headers, body: JSON.stringify(payload) };
}
