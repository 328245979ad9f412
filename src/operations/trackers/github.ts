import { createHmac } from 'node:crypto';
import * as z from 'zod';
import type { TrackerClient } from './client.ts';
import type { Issue, Release, TrackerProduct } from './product.ts';
import {
  breakAfter,
  byAccount,
  findAccount,
  findMarked,
  instant,
  isEqual,
  isMarked,
  isOwn,
  moment,
  namedIn,
  number,
  pageUrl,
  readAs,
  readRequest,
  readRows,
  withMark,
} from './reading.ts';

/** The pages of github.com, and its API. */
const GITHUB = 'https://github.com';
const API = 'https://api.github.com';
const NAME = 'GitHub';

/** An issue, or a pull request among the issues: https://docs.github.com/en/rest/issues/issues#get-an-issue */
const ISSUE = z.object({
  number,
  html_url: pageUrl,
  title: z.string(),
  body: z.string().nullish(),
  user: byAccount,
  state: z.string(),
  state_reason: z.string().nullish(),
  updated_at: moment,
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
  prerelease: z.boolean().nullish(),
  published_at: moment.nullish(),
});

const COMMENT = z.object({ id: number, body: z.string().nullish(), user: byAccount });
const REPOSITORY = z.object({ id: number, full_name: z.string() });

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
  nameIssue: (project, issue) => `${project}#${issue}`,
  headersOf: (token) => ({
    Accept: 'application/vnd.github+json',
    Authorization: `Bearer ${token}`,
    'X-GitHub-Api-Version': '2022-11-28',
  }),
  async check(client) {
    const { body } = await client.ask('GET', `/repos/${client.project}`);
    await client.ask('GET', `/repos/${client.project}/issues?per_page=1`);
    const { id, full_name: project } = readAs(NAME, REPOSITORY, body);
    return { project, projectKey: String(id), account: await findAccount(client) };
  },
  async readIssue(client, issue) {
    const path = `/repos/${client.project}/issues/${issue}`;
    // 301: it was moved to another repository.
    const { status, body } = await client.ask('GET', path, { missing: [301, 404, 410] });
    return status === 200 ? viewIssue(readAs(NAME, ISSUE, body)) : null;
  },
  async makeIssue(client, { title, ...content }) {
    const written = { title, body: withMark(content) };
    const { body } = await client.ask('POST', `/repos/${client.project}/issues`, { body: written });
    return viewIssue(readAs(NAME, ISSUE, body));
  },
  async findIssue(client, key, since) {
    const query = `state=all&sort=created&direction=desc&per_page=100&since=${instant(since)}`;
    const found = await findMarked(client, `/repos/${client.project}/issues?${query}`, marked(client, ISSUE, key));
    return found && viewIssue(found);
  },
  async writeComment(client, issue, commentId, content) {
    const of = `/repos/${client.project}/issues`;
    const missing = [404, 410];
    const options = { body: { body: withMark(content) }, missing };
    const { status, body } =
      commentId === null
        ? await client.ask('POST', `${of}/${issue}/comments`, options)
        : await client.ask('PATCH', `${of}/comments/${commentId}`, options);
    return missing.includes(status) ? null : String(readAs(NAME, COMMENT, body).id);
  },
  async findComment(client, issue, key, since) {
    const path = `/repos/${client.project}/issues/${issue}/comments?per_page=100&since=${instant(since)}`;
    const found = await findMarked(client, path, marked(client, COMMENT, key));
    return found && String(found.id);
  },
  async deleteComment(client, commentId) {
    const path = `/repos/${client.project}/issues/comments/${commentId}`;
    await client.ask('DELETE', path, { missing: [404, 410] });
  },
  async listChanged(client, since, page) {
    // The newest first: what changes in between moves to the front, and nothing slips from a page to one that was read.
    const query = `state=all&sort=updated&direction=desc&per_page=100&since=${instant(since)}`;
    const { body, next, sent } = await client.ask('GET', page ?? `/repos/${client.project}/issues?${query}`);
    return { issues: readRows(NAME, ISSUE, body).map(viewIssue), next, sent };
  },
  async listReleases(client) {
    const { body } = await client.ask('GET', `/repos/${client.project}/releases?per_page=30`);
    return readRows(NAME, RELEASE, body).flatMap((release) => viewRelease(release, client.project));
  },
  verify(headers, body, secret) {
    const wanted = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    return isEqual(String(headers['x-hub-signature-256'] ?? ''), wanted);
  },
  parseNews(headers, body) {
    const event = headers['x-github-event'];
    if (event !== 'issues' && event !== 'pull_request' && event !== 'release') return null;
    const news = readRequest(NAME, NEWS, body);
    const { action, issue, pull_request: pull, release, repository } = news;
    const nothing = { projectKey: String(repository.id), issues: [], unclear: [], releases: [] };
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
  // Names, numbers, also written as entities, and pages of issues.
  makeInert: (text) => breakAfter(text, /(?<=[@#&]|\bGH-|\/(?:issues|pull|discussions|commit|compare)\/)(?=\w)/gi),
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
  if (row.draft || row.prerelease || !row.published_at) return [];
  const ofProject = `/${project.toLowerCase()}`;
  const form = /(?<![\w/&])#(\d{1,9})\b|(\/[\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d{1,9})\b/g;
  const issues = namedIn(row.body ?? '', form, ([, plain, path = '', ofUrl]) =>
    plain === undefined && path.toLowerCase() !== ofProject ? null : String(Number(plain ?? ofUrl)),
  );
  return [{ name: row.name || row.tag_name, datePublished: row.published_at, issues }];
}

type Marked = { body?: string | null | undefined; user?: z.infer<typeof byAccount> };

/** Finds a row of one's own with a key. */
function marked<Row extends Marked>(client: TrackerClient, type: z.ZodType<Row>, key: string) {
  return {
    rowsOf: (body: readonly unknown[]) => readRows(NAME, type, body),
    isMarked: ({ body, user }: Row) => isOwn(client, user) && isMarked(body, key),
  };
}
