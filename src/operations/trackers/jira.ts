import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { msg } from '../../platform/messages.ts';
import type { Refusal, TrackerClient } from './client.ts';
import { TrackerFault } from './fault.ts';
import { documentOf } from './jira-text.ts';
import type { Issue, TrackerProduct } from './product.ts';
import { breakAfter, isEqual, isOwn, moment, pageUrl, readAs, readRequest, readRows } from './reading.ts';

const NAME = 'Jira';
const PATH = '/rest/api/3';
const CLOUD = '.atlassian.net';
const GONE = [404];

/** The property that issues and comments made by Earshot have, with the key of what they were made of. */
const PROPERTY = 'earshot';
/** Pages of issues that are looked through for a property. */
const MAX_PAGES = 3;
/** Issues before and after the last one that the search knows, which it may not know yet: Jira gives 100 at once. */
const MAX_AROUND = 50;

/** The types of issues to make, if the project has one of them: the first that it has. */
const TYPES = ['Task', 'Story', 'Bug'];
/** Resolutions, by their names in English, with which an issue was not done. Sites have others, too. */
const NOT_DONE = new Set(
  "won't do,won't fix,won't implement,duplicate,cannot reproduce,declined,rejected,obsolete,incomplete,invalid,not a bug,cancelled,canceled,abandoned".split(
    ',',
  ),
);

/** Such as APP-12. */
const NAMED = /^[A-Z]\w{0,99}-([1-9]\d{0,8})$/;

/** Jira writes moments as 2026-07-01T12:00:00.000+0000. */
const jiraMoment = z
  .string()
  .transform((text) => text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
  .pipe(moment);

/** https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/ */
const ISSUE = z.object({
  key: z.string().regex(NAMED),
  self: pageUrl,
  fields: z.object({
    summary: z.string(),
    updated: jiraMoment,
    status: z.object({ statusCategory: z.object({ key: z.string() }) }),
    resolution: z.object({ name: z.string() }).nullish(),
    project: z.object({ id: z.string() }),
    creator: z.object({ accountId: z.string() }).nullish(),
  }),
  properties: z.object({ [PROPERTY]: z.object({ key: z.string() }).nullish().catch(null) }).nullish(),
});
const FIELDS = Object.keys(ISSUE.shape.fields.shape);
type Row = z.infer<typeof ISSUE>;

const PROJECT = z.object({ id: z.string().regex(/^\d+$/), key: z.string().regex(/^[A-Z]\w{0,99}$/) });
const ACCOUNT = z.object({ accountId: z.string().min(1) });
const FOUND = z.object({ issues: z.unknown(), nextPageToken: z.string().nullish() });
const MADE = z.object({ id: z.string() });
const TYPE_ROWS = z.object({
  issueTypes: z.array(
    z.object({ id: z.string(), name: z.string(), subtask: z.boolean().nullish(), hierarchyLevel: z.int().nullish() }),
  ),
});
const COMMENT = z.object({ id: z.string().regex(/^\d+$/), author: ACCOUNT.nullish() });
const COMMENT_KEY = z.object({
  id: z.string(),
  properties: z
    .array(z.object({ key: z.string(), value: z.object({ key: z.string() }).nullish().catch(null) }))
    .nullish(),
});

const REFUSAL = z.object({
  errorMessages: z.array(z.string()).nullish(),
  errors: z.record(z.string(), z.string()).nullish(),
});

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/ */
const NEWS = z.object({ webhookEvent: z.string() });
const ISSUE_NEWS = z.object({
  issue: z.looseObject({
    key: z.string().regex(NAMED),
    fields: z.looseObject({ project: z.object({ id: z.string() }) }),
  }),
  changelog: z
    .object({
      items: z.array(z.object({ field: z.string(), from: z.string().nullish(), fromString: z.string().nullish() })),
    })
    .nullish(),
});

/** Jira Cloud, by its REST API with an address and an API token. A project is its key, and an issue its number there. */
export const jira: TrackerProduct = {
  kind: 'JIRA',
  parseProject(text) {
    const [, site, name] = /^([\w-]{1,100})\/([A-Za-z]\w{0,99})$/.exec(text.trim()) ?? [];
    if (site && name)
      return { project: nameOf(site.toLowerCase(), name), apiUrl: `https://${site.toLowerCase()}${CLOUD}` };
    const url = URL.parse(text.trim());
    const [, key] =
      /^(?:\/jira\/\w{1,40}(?:\/c)?)?\/(?:browse|projects)\/([A-Za-z]\w{0,99})(?:[/-]|$)/.exec(url?.pathname ?? '') ??
      [];
    if (!url || !/^https?:$/.test(url.protocol) || !key || url.username !== '') return null;
    const host = url.host.endsWith(CLOUD) ? url.host.slice(0, -CLOUD.length) : url.host;
    return { project: nameOf(host, key), apiUrl: url.origin };
  },
  parseIssue({ project, apiUrl }, text) {
    const key = keyOf(project);
    const url = URL.parse(text.trim());
    const ofUrl = url?.searchParams.get('selectedIssue') ?? /^\/browse\/([^/]+)\/?$/.exec(url?.pathname ?? '')?.[1];
    if (url && (url.origin !== apiUrl || ofUrl === undefined)) return null;
    const [, ofKey, number] = /^(?:#|(\w{1,100})-)?(\d{1,9})$/.exec(ofUrl ?? text.trim()) ?? [];
    if (ofKey !== undefined ? ofKey.toUpperCase() !== key : ofUrl !== undefined) return null;
    const issue = String(Number(number ?? 0));
    return issue === '0' ? null : { issue, url: `${apiUrl}/browse/${key}-${issue}` };
  },
  nameIssue: (project, issue) => `${keyOf(project)}-${issue}`,
  headersOf: (token) => ({
    Accept: 'application/json',
    Authorization: `Basic ${Buffer.from(token).toString('base64')}`,
  }),
  refusalIn,
  async check(client) {
    // Without it, Jira takes requests for anonymous ones, and has no such project.
    const { accountId: account } = readAs(NAME, ACCOUNT, (await client.ask('GET', `${PATH}/myself`)).body);
    const [site = '', named = ''] = client.project.split('/');
    const { id, key } = readAs(NAME, PROJECT, (await client.ask('GET', `${PATH}/project/${named}`)).body);
    await search({ ...client, projectKey: id }, '', 'updated', null);
    return { project: nameOf(site, key), projectKey: id, account };
  },
  async readIssue(client, issue) {
    const row = await readRow(client, `${keyOf(client.project)}-${issue}`);
    return row && viewIssue(row);
  },
  async makeIssue(client, { title: summary, text, key }) {
    const issuetype = { id: await findType(client) };
    const fields = { project: { id: client.projectKey }, issuetype, summary, description: documentOf(text) };
    const { body } = await client.ask('POST', `${PATH}/issue`, { body: { fields, properties: [propertyOf(key)] } });
    const row = await readRow(client, readAs(NAME, MADE, body).id);
    if (!row) throw new TrackerFault(msg('trackerIssueLost'), 0);
    return viewIssue(row);
  },
  async findIssue(client, key, since) {
    const isIt = ({ fields, properties }: Row) =>
      isOwn(client, idOf(fields.creator)) && properties?.[PROPERTY]?.key === key;
    let page: string | null = null;
    for (let n = 0; n === 0 || (n < MAX_PAGES && page !== null); n++) {
      const { rows, next } = await search(client, `creator = currentUser() AND created >= ${since}`, 'created', page);
      const found = rows.find(isIt);
      if (found) return viewIssue(found);
      page = next;
    }
    const young = (await readNewest(client)).find(isIt);
    return young ? viewIssue(young) : null;
  },
  async writeComment(client, issue, commentId, { text, key }) {
    const body = documentOf(text);
    const made = { body: { body, properties: [propertyOf(key)] }, missing: GONE };
    const answer =
      commentId === null
        ? await client.ask('POST', commentsOf(client, issue), made)
        : await client.ask('PUT', `${commentOf(client, commentId)}?notifyUsers=false`, {
            body: { body },
            missing: GONE,
          });
    return GONE.includes(answer.status) ? null : `${issue}/${readAs(NAME, COMMENT, answer.body).id}`;
  },
  async findComment(client, issue, key) {
    const path = `${commentsOf(client, issue)}?orderBy=-created&maxResults=100`;
    const { status, body } = await client.ask('GET', path, { missing: GONE });
    if (GONE.includes(status)) return null;
    const rows = readRows(NAME, COMMENT, readAs(NAME, z.object({ comments: z.unknown() }), body).comments);
    const ids = rows.filter(({ author }) => isOwn(client, idOf(author))).map(({ id }) => Number(id));
    if (ids.length === 0) return null;
    const listed = await client.ask('POST', `${PATH}/comment/list?expand=properties`, { body: { ids } });
    const keyed = readRows(NAME, COMMENT_KEY, readAs(NAME, z.object({ values: z.unknown() }), listed.body).values);
    const found = keyed.find(({ properties }) =>
      properties?.some((each) => each.key === PROPERTY && each.value?.key === key),
    );
    return found ? `${issue}/${found.id}` : null;
  },
  async deleteComment(client, commentId) {
    await client.ask('DELETE', commentOf(client, commentId), { missing: GONE });
  },
  async listChanged(client, since, page) {
    // The newest first. Moments are numbers: those in words would be in the time zone of the account, and have no seconds.
    const { rows, next, sent } = await search(client, `updated >= ${Math.max(since, 0)}`, 'updated', page);
    return { issues: rows.map(viewIssue), next, sent };
  },
  // A version of Jira has a day, which is often the planned one, and not when it was released.
  listReleases: async () => [],
  verify(headers, body, secret) {
    const wanted = createHmac('sha256', secret).update(body).digest('hex');
    return isEqual(String(headers['x-hub-signature'] ?? ''), `sha256=${wanted}`);
  },
  parseNews(_, body) {
    const { webhookEvent } = readRequest(NAME, NEWS, body);
    if (!/^jira:issue_(created|updated|deleted)$/.test(webhookEvent)) return null;
    const { issue, changelog } = readRequest(NAME, ISSUE_NEWS, body);
    const nothing = { projectKey: issue.fields.project.id, issues: [], unclear: [], releases: [] };
    const from = changelog?.items.find(({ field }) => field === 'project')?.from;
    if (from) {
      // It has left a project, and its number there.
      const former = changelog?.items.find(({ field }) => field === 'Key')?.fromString ?? '';
      return { ...nothing, projectKey: from, unclear: NAMED.exec(former)?.slice(1) ?? [] };
    }
    const told = webhookEvent === 'jira:issue_deleted' ? undefined : ISSUE.safeParse(issue).data;
    return told ? { ...nothing, issues: [viewIssue(told)] } : { ...nothing, unclear: [numberOf(issue.key)] };
  },
  // Texts are literal, but for titles in mails and other programs: names, keys such as APP-12, and addresses of issues.
  makeInert: (text) => breakAfter(text, /(?<=[@#]|\/browse\/)(?=\w)|(?<=\b[a-z]\w{0,99}-)(?=\d)|(?<=\[)(?=~)/gi),
};

const nameOf = (site: string, key: string) => `${site}/${key.toUpperCase()}`;
const keyOf = (project: string) => project.split('/')[1] ?? '';
const numberOf = (key: string) => NAMED.exec(key)?.[1] ?? '';
const propertyOf = (key: string) => ({ key: PROPERTY, value: { key } });
const idOf = (by: { accountId: string } | null | undefined) => by && { id: by.accountId };
const commentsOf = ({ project }: TrackerClient, issue: string) => `${PATH}/issue/${keyOf(project)}-${issue}/comment`;

/** @param commentId the number of its issue, and its own id */
function commentOf(client: TrackerClient, commentId: string): string {
  const [issue = '', id = ''] = commentId.split('/');
  return `${commentsOf(client, issue)}/${id}`;
}

/** What Jira says of a refusal: in general, and of single fields. */
function refusalIn(body: unknown): Refusal | null {
  const { errorMessages, errors } = REFUSAL.safeParse(body).data ?? {};
  const ofFields = Object.entries(errors ?? {}).map(([field, words]) => `${field}: ${words}`);
  const words = [...(errorMessages ?? []), ...ofFields].join('; ');
  return words === '' ? null : { reason: null, words };
}

/** An issue of the project, also by a key that it had there; null if it is gone, or in another project. */
async function readRow(client: TrackerClient, idOrKey: string): Promise<Row | null> {
  const { status, body } = await client.ask('GET', `${PATH}/issue/${idOrKey}?fields=${FIELDS}`, { missing: GONE });
  if (GONE.includes(status)) return null;
  const row = readAs(NAME, ISSUE, body);
  return row.fields.project.id === client.projectKey ? row : null;
}

/** A page of the issues of the project that meet a condition. The search learns of changes a little later. */
async function search(client: TrackerClient, where: string, order: string, page: string | null) {
  const jql = `${[`project = ${client.projectKey}`, where].filter(Boolean).join(' AND ')} ORDER BY ${order} DESC`;
  const asked = { jql, maxResults: '100', fields: FIELDS.join(), properties: PROPERTY };
  const query = new URLSearchParams({ ...asked, ...(page !== null && { nextPageToken: page }) });
  const { body, sent } = await client.ask('GET', `${PATH}/search/jql?${query.toString().replaceAll('+', '%20')}`);
  const { issues, nextPageToken } = readAs(NAME, FOUND, body);
  return { rows: readRows(NAME, ISSUE, issues), next: nextPageToken ?? null, sent };
}

/** The issues around the last one that the search knows: unlike it, reading by key knows at once what was made. */
async function readNewest(client: TrackerClient): Promise<Row[]> {
  const [last] = (await search(client, '', 'key', null)).rows;
  const from = Math.max(last ? Number(numberOf(last.key)) - MAX_AROUND : 0, 0);
  const issueIdsOrKeys = Array.from({ length: 2 * MAX_AROUND }, (_, n) => `${keyOf(client.project)}-${from + n + 1}`);
  const body = { issueIdsOrKeys, fields: FIELDS, properties: [PROPERTY] };
  const found = readAs(NAME, FOUND, (await client.ask('POST', `${PATH}/issue/bulkfetch`, { body })).body);
  return readRows(NAME, ISSUE, found.issues).filter(({ fields }) => fields.project.id === client.projectKey);
}

/** The type of issues to make in the project, which the token may make. */
async function findType(client: TrackerClient): Promise<string> {
  const path = `${PATH}/issue/createmeta/${client.projectKey}/issuetypes?maxResults=200`;
  const types = readAs(NAME, TYPE_ROWS, (await client.ask('GET', path)).body).issueTypes.filter(
    (type) => !type.subtask,
  );
  const known = TYPES.flatMap((wanted) => types.find(({ name }) => name === wanted) ?? []);
  // Their names are in the language of the account: of others, one of the level of tasks, not an epic.
  const [type] = [...known, ...types.filter(({ hierarchyLevel }) => hierarchyLevel === 0), ...types];
  if (!type) throw new TrackerFault(msg('trackerMayNotCreate'), null);
  return type.id;
}

function viewIssue({ key, self, fields }: Row): Issue {
  const { summary: title, updated: dateChanged } = fields;
  const url = `${URL.parse(self)?.origin}/browse/${key}`;
  return { issue: numberOf(key), url, title, state: stateOf(fields), dateChanged };
}

function stateOf({ status, resolution }: Row['fields']): Issue['state'] {
  if (status.statusCategory.key !== 'done') return 'OPEN';
  return NOT_DONE.has(resolution?.name.toLowerCase().replace('’', "'") ?? '') ? 'NOT_PLANNED' : 'COMPLETED';
}
