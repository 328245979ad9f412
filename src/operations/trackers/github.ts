import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { badRequest } from '../../platform/errors.ts';
import { TrackerFault } from './client.ts';
import type { Issue, Release, TrackerProduct } from './product.ts';

/** The pages of github.com, and its API. */
const GITHUB = 'https://github.com';
const API = 'https://api.github.com';
/** Issues that the notes of a release may name. */
const MAX_NAMED = 1_000;
/** Pages of issues or comments that are looked through for a mark. */
const MAX_PAGES = 10;

const date = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const number = z.int().positive();

/** An issue, or a pull request among the issues: https://docs.github.com/en/rest/issues/issues#get-an-issue */
const ISSUE = z.object({
  number,
  html_url: z.url().max(2_000),
  title: z.string().max(2_000),
  body: z.string().nullish(),
  state: z.string(),
  state_reason: z.string().nullish(),
  updated_at: date,
  pull_request: z.object({ merged_at: z.string().nullish() }).nullish(),
});

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads#pull_request */
const PULL_REQUEST = ISSUE.omit({ pull_request: true }).extend({ merged_at: z.string().nullish() });

/** https://docs.github.com/en/rest/releases/releases#list-releases */
const RELEASE = z.object({
  tag_name: z.string().min(1).max(500),
  name: z.string().nullish(),
  body: z.string().nullish(),
  draft: z.boolean(),
  published_at: date.nullish(),
});

const COMMENT = z.object({ id: number, body: z.string().nullish() });
const REPOSITORY = z.object({ full_name: z.string() });

/** Earlier servers leave out the state of pinned issues. */
const TOLD = z.union([ISSUE, z.object({ number })]);

const NEWS = z.object({
  action: z.string(),
  repository: REPOSITORY,
  issue: TOLD.optional(),
  pull_request: PULL_REQUEST.optional(),
  release: RELEASE.optional(),
});

/** GitHub, and GitHub Enterprise Server under its own address, by the REST API with a token. */
export const github: TrackerProduct = {
  kind: 'GITHUB',
  parseProject(text) {
    const written = text.trim().replace(/\.git$/, '');
    const [, owner, name] = /^([\w.-]{1,100})\/([\w.-]{1,100})$/.exec(written) ?? [];
    if (owner && name) return { project: `${owner}/${name}`, apiUrl: API };
    const url = URL.parse(written);
    const [, ofUrl, nameOfUrl] = /^\/([\w.-]{1,100})\/([\w.-]{1,100})(?:\/|$)/.exec(url?.pathname ?? '') ?? [];
    if (!url || !/^https?:$/.test(url.protocol) || !ofUrl || !nameOfUrl || url.username !== '') return null;
    const apiUrl = /^(www\.)?github\.com$/.test(url.host) ? API : `${url.origin}/api/v3`;
    return { project: `${ofUrl}/${nameOfUrl}`, apiUrl };
  },
  parseIssue({ project, apiUrl }, text) {
    const base = `${apiUrl === API ? GITHUB : new URL(apiUrl).origin}/${project}`;
    const [, plain] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
    const [, path, ofUrl] = /^(https?:\/\/.+)\/(?:issues|pull)\/(\d{1,9})(?:[/?#].*)?$/.exec(text.trim()) ?? [];
    if (path !== undefined && path.toLowerCase().replace('//www.', '//') !== base.toLowerCase()) return null;
    const issue = String(Number(plain ?? ofUrl ?? 0));
    return issue === '0' ? null : { issue, url: `${base}/issues/${issue}` };
  },
  headersOf: (token) => ({
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${token}`,
    'X-GitHub-Api-Version': '2022-11-28',
  }),
  async check(client) {
    await client.ask('GET', `/repos/${client.project}`);
    await client.ask('GET', `/repos/${client.project}/issues?per_page=1`);
  },
  async readIssue(client, issue) {
    const path = `/repos/${client.project}/issues/${issue}`;
    // 301: it was moved to another repository.
    const { status, body } = await client.ask('GET', path, { missing: [301, 404, 410] });
    return status === 200 ? viewIssue(read(ISSUE, body)) : null;
  },
  async makeIssue(client, { title, text }) {
    const { body } = await client.ask('POST', `/repos/${client.project}/issues`, { body: { title, body: text } });
    return viewIssue(read(ISSUE, body));
  },
  async findIssue(client, mark, since) {
    const query = `state=all&sort=created&direction=desc&per_page=100&since=${instant(since)}`;
    const found = await find(client, `/repos/${client.project}/issues?${query}`, ISSUE, mark);
    return found && viewIssue(found);
  },
  async writeComment(client, issue, commentId, text) {
    const of = `/repos/${client.project}/issues`;
    const missing = [404, 410];
    const { status, body } =
      commentId === null
        ? await client.ask('POST', `${of}/${issue}/comments`, { body: { body: text }, missing })
        : await client.ask('PATCH', `${of}/comments/${commentId}`, { body: { body: text }, missing });
    return missing.includes(status) ? null : String(read(COMMENT, body).id);
  },
  async findComment(client, issue, mark, since) {
    const path = `/repos/${client.project}/issues/${issue}/comments?per_page=100&since=${instant(since)}`;
    const found = await find(client, path, COMMENT, mark);
    return found && String(found.id);
  },
  async deleteComment(client, commentId) {
    const path = `/repos/${client.project}/issues/comments/${commentId}`;
    await client.ask('DELETE', path, { missing: [404, 410] });
  },
  async listChanged(client, since, page) {
    const query = `state=all&sort=updated&direction=asc&per_page=100&since=${instant(since)}`;
    const { body, next, sent } = await client.ask('GET', page ?? `/repos/${client.project}/issues?${query}`);
    return { issues: read(z.array(ISSUE), body).map(viewIssue), next, sent };
  },
  async listReleases(client) {
    const { body } = await client.ask('GET', `/repos/${client.project}/releases?per_page=30`);
    return read(z.array(RELEASE), body).flatMap((release) => viewRelease(release, client.project));
  },
  verify(headers, body, secret) {
    const given = Buffer.from(String(headers['x-hub-signature-256'] ?? ''));
    const wanted = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  },
  parseNews(headers, body) {
    const event = headers['x-github-event'];
    if (event !== 'issues' && event !== 'pull_request' && event !== 'release') return null;
    const news = readRequest(body);
    const { action, issue, pull_request: pull, release, repository } = news;
    const nothing = { issues: [], unclear: [], releases: [] };
    if (event === 'release') {
      const isNew = action === 'published' || action === 'edited';
      return { ...nothing, releases: release && isNew ? viewRelease(release, repository.full_name) : [] };
    }
    if (pull) return { ...nothing, issues: [viewIssue({ ...pull, pull_request: { merged_at: pull.merged_at } })] };
    if (!issue) return null;
    if (action === 'deleted' || action === 'transferred' || !('state' in issue))
      return { ...nothing, unclear: [String(issue.number)] };
    return { ...nothing, issues: [viewIssue(issue)] };
  },
  makeInert: (text) => text.replace(/(?<=[@#]|\bGH-)(?=\w)/gi, '\u200b').replaceAll('<!--', '<\u200b!--'),
};

function viewIssue(row: z.infer<typeof ISSUE>): Issue {
  const { number, html_url: url, title, updated_at: dateChanged } = row;
  return { issue: String(number), url, title, state: stateOf(row), dateChanged };
}

/** Closed issues have a reason since 2022, and those of before were completed. */
function stateOf({ state, state_reason: reason, pull_request: pull }: z.infer<typeof ISSUE>): Issue['state'] {
  if (state !== 'closed') return 'OPEN';
  if (pull) return pull.merged_at ? 'COMPLETED' : 'NOT_PLANNED';
  return reason === 'not_planned' || reason === 'duplicate' ? 'NOT_PLANNED' : 'COMPLETED';
}

/** The issues that the notes name: `#12`, or by the address that GitHub writes for pull requests. */
function viewRelease(row: z.infer<typeof RELEASE>, project: string): Release[] {
  if (row.draft || !row.published_at) return [];
  const named = new Set<string>();
  const ofProject = `/${project.toLowerCase()}`;
  for (const match of (row.body ?? '').matchAll(
    /(?<![\w/&])#(\d{1,9})\b|(\/[\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d{1,9})\b/g,
  )) {
    const [, plain, path = '', ofUrl] = match;
    if (plain === undefined && path.toLowerCase() !== ofProject) continue;
    named.add(String(Number(plain ?? ofUrl)));
    if (named.size === MAX_NAMED) break;
  }
  return [{ name: row.name || row.tag_name, datePublished: row.published_at, issues: [...named] }];
}

type Marked = { body?: string | null | undefined };

/** The first of a list whose text has a mark. */
async function find<Row extends Marked>(
  client: Parameters<TrackerProduct['findIssue']>[0],
  path: string,
  type: z.ZodType<Row>,
  mark: string,
): Promise<Row | null> {
  let url: string | null = path;
  for (let page = 0; url !== null && page < MAX_PAGES; page++) {
    const { body, next } = await client.ask('GET', url, { missing: [404, 410] });
    const rows: Row[] = Array.isArray(body) ? read(z.array(type), body) : [];
    const found = rows.find((row) => row.body?.includes(mark));
    if (found) return found;
    url = next;
  }
  return null;
}

function read<Value>(type: z.ZodType<Value>, body: unknown): Value {
  const { data, success, error } = type.safeParse(body);
  if (success) return data;
  throw new TrackerFault(`GitHub responded with something else: ${z.prettifyError(error).slice(0, 300)}`, 0);
}

function readRequest(body: Buffer): z.infer<typeof NEWS> {
  try {
    const { data, success } = NEWS.safeParse(JSON.parse(body.toString('utf8')));
    if (success) return data;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badRequest('The body is not what GitHub sends; its content type must be application/json');
}

const instant = (ms: number) => new Date(Math.max(ms, 0)).toISOString().replace(/\.\d+/, '');
