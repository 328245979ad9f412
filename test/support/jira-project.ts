import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { checkJiraRequest, checkJiraResponse } from './jira-contract.ts';
import {
  type Hook,
  OWN_ACCOUNT,
  type PlayedComment,
  type PlayedIssue,
  PlayedProject,
  PROJECT_ID,
  PROJECT_TOKEN,
  type Send,
} from './played-project.ts';
import type { Received } from './receiver.ts';
import type { Trouble } from './troubles.ts';

const PATH = '/rest/api/3';
const categories = { OPEN: 'indeterminate', COMPLETED: 'done', NOT_PLANNED: 'done' } as const;
const resolutions = { OPEN: null, COMPLETED: { name: 'Done' }, NOT_PLANNED: { name: "Won't Do" } } as const;

/** The only questions that are understood. */
const JQL =
  /^project = (\d+)(?: AND creator = currentUser\(\))?(?: AND (created|updated) >= (\d{1,13}))? ORDER BY (created|updated|key) DESC$/;

/** https://developer.atlassian.com/cloud/jira/platform/rate-limiting/ */
const limit: Trouble = (response: ServerResponse) => {
  const reset = new Date().toISOString().replace(/:\d\d\.\d+Z$/, 'Z');
  const limits = { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
  const headers = { ...limits, 'retry-after': '1', 'ratelimit-reason': 'jira-burst-based' };
  response.writeHead(429, headers).end('Rate limit exceeded.');
};

/**
 * A project at Jira Cloud: each request of Earshot and each response is checked by an excerpt of Atlassian's own description.
 * Requests are as https://developer.atlassian.com/cloud/jira/platform/webhooks/ describes them.
 */
export class JiraProject extends PlayedProject {
  readonly kind = 'JIRA' as const;
  override readonly path = '/jira/software/c/projects/APP/boards/1';
  override readonly hasReleases = false;
  override readonly troubles = [limit];
  types: readonly { name: string; subtask: boolean; hierarchyLevel?: number }[] = [
    { name: 'Epic', subtask: false, hierarchyLevel: 1 },
    { name: 'Subtask', subtask: true },
    { name: 'Task', subtask: false },
  ];
  /** How long the search does not know what was made or has changed. */
  lagMs = 0;
  /** The issues and comments that have the property of Earshot, with its value. */
  readonly properties = new Map<object, unknown>();

  override get name(): string {
    return `${new URL(this.origin).host}/APP`;
  }

  override keys(): string[] {
    return this.issues.flatMap((issue) => this.#keyOf(issue) ?? []);
  }

  override isChange({ method, url }: Received): boolean {
    return method !== 'GET' && !/\/(bulkfetch|comment\/list)\b/.test(url);
  }

  override answer(request: Received, send: Send): unknown {
    const { method, url, body } = request;
    const given = body.length > 0 ? JSON.parse(body.toString()) : undefined;
    checkJiraRequest(method, new URL(url, this.origin), given);
    return super.answer(request, (status, value, headers) => {
      checkJiraResponse(method, new URL(url, this.origin), status, value);
      return send(status, value, headers);
    });
  }

  async hookOf(action: string, issue: PlayedIssue, secret: string): Promise<Hook> {
    const row = this.#viewIssue(issue);
    const told = { ...row, fields: { ...row.fields, project: { id: String(this.id), key: 'APP' } } };
    const event = action === 'opened' ? 'created' : 'updated';
    const change = { field: 'status', fieldtype: 'jira', fieldId: 'status', from: '1', fromString: 'To Do', to: '3' };
    return this.#hook(`jira:issue_${event}`, { issue: told, changelog: { id: '1', items: [change] } }, secret);
  }

  async otherHook(secret: string): Promise<Hook> {
    return this.#hook('jira:version_released', { version: { id: '10000', projectId: PROJECT_ID } }, secret);
  }

  protected pathOf(number: number): string {
    return `/browse/APP-${number}`;
  }

  protected isSignedIn({ authorization }: Record<string, unknown>): boolean {
    return authorization === `Basic ${Buffer.from(PROJECT_TOKEN).toString('base64')}`;
  }

  protected answerTo(...[{ method, asked, written: given }, send]: Parameters<PlayedProject['answerTo']>): unknown {
    const path = asked.pathname.slice(PATH.length);
    if (path === '/myself') return send(200, viewAccount(OWN_ACCOUNT));
    if (path === '/search/jql') return this.#search(asked.searchParams, send);
    if (path === '/issue/bulkfetch') return send(200, { issues: this.#fetch(given), issueErrors: [] });
    if (path === '/comment/list') return send(200, { values: this.#listComments(given), isLast: true });
    if (/^\/project\/(app|1)$/i.test(path)) return send(200, { id: String(PROJECT_ID), key: 'APP' });
    if (path === `/issue/createmeta/${PROJECT_ID}/issuetypes`)
      return send(200, { issueTypes: this.types.map((type, n) => ({ ...type, id: String(10_000 + n) })) });
    if (path === '/issue') return this.#make(given, send);
    const [, named = '', comments, id] = /^\/issue\/([\w-]+)(?:(\/comment)(?:\/(\d+))?)?$/.exec(path) ?? [];
    const issue = this.#find(named);
    if (!issue) return refuse(send, 404, 'Issue does not exist or you do not have permission to see it.');
    if (!comments) return send(200, this.#viewIssue(issue));
    return this.#answerComment({ method, given, issue, id }, send);
  }

  #answerComment(
    {
      method,
      given,
      issue,
      id,
    }: { method: string; given: Record<string, unknown>; issue: PlayedIssue; id: string | undefined },
    send: Send,
  ): unknown {
    const comment = this.comments.find((each) => each.issue === issue.number && each.id === Number(id));
    if (id && !comment) return refuse(send, 404, `Can not find a comment for the id: ${id}.`);
    if (method === 'GET') {
      const rows = this.comments.filter((each) => each.issue === issue.number).reverse();
      return send(200, { comments: rows.map(viewComment), startAt: 0, maxResults: 100, total: rows.length });
    }
    if (comment && method === 'DELETE') {
      this.comments = this.comments.filter((each) => each !== comment);
      return send(204, null);
    }
    const text = markdownOf(given.body);
    if (comment) return send(200, viewComment(Object.assign(comment, { text })));
    const made = this.comment(issue, text);
    this.properties.set(made, propertyIn(given));
    return send(201, viewComment(made));
  }

  /** The issues that were made, or have changed, long enough ago, page by page. */
  #search(asked: URLSearchParams, send: Send): unknown {
    const [, project, field, since = 0, order] = JQL.exec(asked.get('jql') ?? '') ?? [];
    if (Number(project) !== PROJECT_ID) return refuse(send, 400, `Error in the JQL Query: ${asked.get('jql')}`);
    const datesOf = ({ created, changed, number }: PlayedIssue) => ({ created, updated: changed, key: number });
    const known = this.issues.filter(
      (issue) => this.lagMs === 0 || (field === 'updated' ? issue.changed : issue.created) <= this.now() - this.lagMs,
    );
    const by = order as 'created' | 'updated' | 'key';
    const found = known
      .filter((issue) => !field || datesOf(issue)[field as 'created' | 'updated'] >= Number(since))
      .sort((a, b) => datesOf(b)[by] - datesOf(a)[by]);
    const from = Number(asked.get('nextPageToken') ?? 0);
    const end = from + Number(asked.get('maxResults') ?? 50);
    const issues = found.slice(from, end).map((issue) => this.#viewIssue(issue));
    const more = end < found.length;
    return send(200, { issues, isLast: !more, ...(more && { nextPageToken: String(end) }) });
  }

  #make(given: Record<string, unknown>, send: Send): unknown {
    const { summary, description, issuetype, project } = given.fields as Record<string, Record<string, unknown>>;
    const type = this.types[Number(issuetype?.id) - 10_000];
    if (Number(project?.id) !== PROJECT_ID || !type || type.subtask)
      return refuse(send, 400, '', { issuetype: 'Specify a valid issue type' });
    const made = this.open(String(summary), markdownOf(description));
    this.properties.set(made, propertyIn(given));
    const { id, key, self } = this.#viewIssue(made);
    return send(201, { id, key, self });
  }

  #fetch({ issueIdsOrKeys }: Record<string, unknown>) {
    const found = (issueIdsOrKeys as string[]).flatMap((named) => this.#find(named) ?? []);
    return found.map((issue) => this.#viewIssue(issue));
  }

  #listComments({ ids }: Record<string, unknown>) {
    const found = this.comments.filter(({ id }) => (ids as unknown[]).includes(id));
    return found.map((comment) => {
      const value = this.properties.get(comment);
      return { ...viewComment(comment), properties: value ? [{ key: 'earshot', value }] : [] };
    });
  }

  #find(named: string): PlayedIssue | undefined {
    return this.issues.find(({ number }) => named === `APP-${number}` || named === String(10_000 + number));
  }

  #keyOf(issue: PlayedIssue): string | undefined {
    const { key } = (this.properties.get(issue) ?? {}) as { key?: string };
    return key;
  }

  #viewIssue(issue: PlayedIssue) {
    const { number, url, title, state, changed } = issue;
    const id = String(10_000 + number);
    const value = this.properties.get(issue);
    return {
      id,
      key: url.startsWith('http') ? `APP-${number}` : url,
      self: `${this.origin}${PATH}/issue/${id}`,
      fields: {
        summary: title,
        updated: momentOf(changed),
        status: { name: state, statusCategory: { id: 4, key: categories[state] } },
        resolution: resolutions[state],
        project: { id: String(PROJECT_ID), key: 'APP' },
        creator: viewAccount(OWN_ACCOUNT),
      },
      properties: value ? { earshot: value } : {},
    };
  }

  /** Jira has milliseconds. */
  protected override at(): number {
    return this.now();
  }

  #hook(webhookEvent: string, payload: object, secret: string): Hook {
    const body = JSON.stringify({ timestamp: this.now(), webhookEvent, ...payload });
    const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    const headers = { 'content-type': 'application/json; charset=UTF-8', 'x-hub-signature': signature };
    return { headers: { ...headers, 'x-atlassian-webhook-identifier': 'a'.repeat(32) }, body };
  }
}

const refuse = (send: Send, status: number, message: string, errors = {}) =>
  send(status, { errorMessages: message === '' ? [] : [message], errors });

const viewAccount = (id: number) => ({ accountId: String(id), accountType: 'atlassian', active: true });

const momentOf = (ms: number) => new Date(ms).toISOString().replace('Z', '+0000');

function viewComment({ id, text, created, by }: PlayedComment) {
  const body = { type: 'doc', version: 1, content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] };
  return { id: String(id), author: viewAccount(by), body, created: momentOf(created) };
}

function propertyIn({ properties }: Record<string, unknown>): unknown {
  const [property] = properties as { key: string; value: unknown }[];
  assert.equal(property?.key, 'earshot');
  return property.value;
}

type Inline = { type: string; text?: string; marks?: { attrs: { href: string } }[] };

/** The Markdown of a document. */
function markdownOf(document: unknown): string {
  const { content } = document as { content: { content: Inline[] }[] };
  const view = ({ text = '\n', marks }: Inline) =>
    marks?.[0] ? `[${text.replace(/[\\[\]`*_<>]/g, '\\$&')}](${marks[0].attrs.href})` : text;
  return content.map((paragraph) => paragraph.content.map(view).join('')).join('\n\n');
}
