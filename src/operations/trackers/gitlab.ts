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

/** The pages of gitlab.com. The API of each server is under its own address. */
const GITLAB = 'https://gitlab.com';
const API_PATH = '/api/v4';
const NAME = 'GitLab';
const GONE = [404, 410];

/** The path of a project: groups, and its name. */
const PATH = /^[\w.-]{1,255}(?:\/[\w.-]{1,255}){1,20}$/;

/** https://docs.gitlab.com/api/issues/#single-project-issue */
const ISSUE = z.object({
  iid: number,
  web_url: pageUrl,
  title: z.string(),
  author: byAccount,
  description: z.string().nullish(),
  state: z.string(),
  updated_at: moment,
  moved_to_id: z.int().nullish(),
  _links: z.object({ closed_as_duplicate_of: z.string().nullish() }).nullish(),
});

/** https://docs.gitlab.com/api/notes/#list-project-issue-notes */
const NOTE = z.object({ id: number, body: z.string().nullish(), author: byAccount });

const PROJECT = z.object({ id: number, path_with_namespace: z.string() });

/** https://docs.gitlab.com/api/releases/#list-releases */
const RELEASE = z.object({
  tag_name: z.string().min(1).max(500),
  name: z.string().nullish(),
  description: z.string().nullish(),
  released_at: moment.nullish(),
  upcoming_release: z.boolean().nullish(),
});

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const ISSUE_NEWS = z.object({ object_attributes: z.object({ iid: number }), project: PROJECT });

const RELEASE_NEWS = z.object({
  action: z.string(),
  tag: z.string().min(1).max(500),
  name: z.string().nullish(),
  description: z.string().nullish(),
  released_at: z.string(),
  project: PROJECT,
});

/** GitLab, on gitlab.com and on servers of one's own, by the REST API with a token. */
export const gitlab: TrackerProduct = {
  kind: 'GITLAB',
  parseProject(text) {
    const written = text.trim().replace(/\.git$/, '');
    if (PATH.test(written)) return { project: written, apiUrl: GITLAB + API_PATH };
    const url = URL.parse(written);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '') return null;
    const [path = ''] = url.pathname.split('/-/');
    const project = path.replace(/^\/|\/$/g, '');
    return PATH.test(project) ? { project, apiUrl: url.origin + API_PATH } : null;
  },
  parseIssue({ project, apiUrl }, text) {
    const base = `${apiUrl.slice(0, -API_PATH.length)}/${project}`;
    const [, plain] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
    const [, path, ofUrl] =
      /^(https?:\/\/.+?)(?:\/-)?\/(?:issues|work_items)\/(\d{1,9})(?:[/?#].*)?$/.exec(text.trim()) ?? [];
    if (path !== undefined && path.toLowerCase() !== base.toLowerCase()) return null;
    const issue = String(Number(plain ?? ofUrl ?? 0));
    return issue === '0' ? null : { issue, url: `${base}/-/issues/${issue}` };
  },
  nameIssue: (project, issue) => `${project}#${issue}`,
  headersOf: (token) => ({ Accept: 'application/json', 'PRIVATE-TOKEN': token }),
  async check(client) {
    const { body } = await client.ask('GET', pathOf(client));
    await client.ask('GET', `${pathOf(client)}/issues?per_page=1`);
    const { id, path_with_namespace: project } = readAs(NAME, PROJECT, body);
    return { project, projectKey: String(id), account: await findAccount(client) };
  },
  async readIssue(client, issue) {
    const { status, body } = await client.ask('GET', `${pathOf(client)}/issues/${issue}`, { missing: GONE });
    return status === 200 ? viewIssue(readAs(NAME, ISSUE, body)) : null;
  },
  async makeIssue(client, { title, ...content }) {
    const written = { title, description: withMark(content) };
    const { body } = await client.ask('POST', `${pathOf(client)}/issues`, { body: written });
    return viewIssue(readAs(NAME, ISSUE, body));
  },
  async findIssue(client, key, since) {
    const query = `scope=all&order_by=created_at&sort=desc&per_page=100&created_after=${instant(since)}`;
    const found = await findMarked(client, `${pathOf(client)}/issues?${query}`, {
      rowsOf: (body) => readRows(NAME, ISSUE, body),
      isMarked: ({ description, author }) => isOwn(client, author) && isMarked(description, key),
    });
    return found && viewIssue(found);
  },
  async writeComment(client, issue, commentId, content) {
    const options = { body: { body: withMark(content) }, missing: GONE };
    const { status, body } =
      commentId === null
        ? await client.ask('POST', `${pathOf(client)}/issues/${issue}/notes`, options)
        : await client.ask('PUT', noteOf(client, commentId), options);
    return GONE.includes(status) ? null : `${issue}/${readAs(NAME, NOTE, body).id}`;
  },
  async findComment(client, issue, key) {
    const query = 'order_by=created_at&sort=desc&per_page=100';
    const found = await findMarked(client, `${pathOf(client)}/issues/${issue}/notes?${query}`, {
      rowsOf: (body) => readRows(NAME, NOTE, body),
      isMarked: ({ body, author }) => isOwn(client, author) && isMarked(body, key),
    });
    return found && `${issue}/${found.id}`;
  },
  async deleteComment(client, commentId) {
    await client.ask('DELETE', noteOf(client, commentId), { missing: GONE });
  },
  async listChanged(client, since, page) {
    // The newest first: what changes in between moves to the front, and nothing slips from a page to one that was read.
    const query = `scope=all&order_by=updated_at&sort=desc&per_page=100&updated_after=${instant(since)}`;
    const { body, next, sent } = await client.ask('GET', page ?? `${pathOf(client)}/issues?${query}`);
    return { issues: readRows(NAME, ISSUE, body).map(viewIssue), next, sent };
  },
  async listReleases(client) {
    const { body } = await client.ask('GET', `${pathOf(client)}/releases?per_page=30`);
    const releases = readRows(NAME, RELEASE, body).filter((release) => !release.upcoming_release);
    return releases.flatMap((release) => viewRelease(release, client.project));
  },
  verify: (headers, _, secret) => isEqual(String(headers['x-gitlab-token'] ?? ''), secret),
  parseNews(headers, body) {
    const newsOf = (projectKey: number) => ({ projectKey: String(projectKey), issues: [], unclear: [], releases: [] });
    switch (headers['x-gitlab-event']) {
      case 'Issue Hook':
      case 'Confidential Issue Hook':
      case 'Work Item Hook': {
        // What it says of the issue has no fixed form of dates, and lacks what the API has.
        const { object_attributes: issue, project } = readRequest(NAME, ISSUE_NEWS, body);
        return { ...newsOf(project.id), unclear: [String(issue.iid)] };
      }
      case 'Release Hook': {
        const { action, tag, name, description, released_at, project } = readRequest(NAME, RELEASE_NEWS, body);
        const datePublished = Date.parse(released_at);
        if (action === 'delete' || Number.isNaN(datePublished)) return newsOf(project.id);
        const release = { tag_name: tag, name, description, released_at: datePublished };
        return { ...newsOf(project.id), releases: viewRelease(release, project.path_with_namespace) };
      }
      default:
        return null;
    }
  },
  // A line that begins with a slash is a command, such as /close.
  makeInert: (text) =>
    breakAfter(
      text,
      /(?<=[@#!~%&$^]|\bGL-|\/(?:issues|work_items|merge_requests|commit|compare|epics)\/)(?=\w|"|#)/gi,
    ).replace(/^(\s*)\//gm, '$1\u200b/'),
};

const pathOf = ({ project }: TrackerClient): string => `/projects/${encodeURIComponent(project)}`;

/** @param commentId the number of its issue, and its own */
function noteOf(client: TrackerClient, commentId: string): string {
  const [issue = '', id = ''] = commentId.split('/');
  return `${pathOf(client)}/issues/${issue}/notes/${id}`;
}

function viewIssue(row: z.infer<typeof ISSUE>): Issue {
  const { iid, web_url: url, title, updated_at: dateChanged } = row;
  return { issue: String(iid), url, title, state: stateOf(row), dateChanged };
}

/** Issues are closed without a reason, but for those that were moved or are a duplicate. */
function stateOf({ state, moved_to_id: movedTo, _links: links }: z.infer<typeof ISSUE>): Issue['state'] {
  if (state !== 'closed') return 'OPEN';
  return movedTo || links?.closed_as_duplicate_of ? 'NOT_PLANNED' : 'COMPLETED';
}

type ReleaseRow = Pick<z.infer<typeof RELEASE>, 'tag_name' | 'name' | 'description' | 'released_at'>;

/** The issues that the notes name: `#12`, or by their address. */
function viewRelease(row: ReleaseRow, project: string): Release[] {
  if (!row.released_at) return [];
  const ofProject = `/${project.toLowerCase()}`;
  const form = /(?<![\w/&])#(\d{1,9})\b|((?:\/[\w.-]+){2,21}?)(?:\/-)?\/(?:issues|work_items)\/(\d{1,9})\b/g;
  const issues = namedIn(row.description ?? '', form, ([, plain, path = '', ofUrl]) =>
    plain === undefined && !path.toLowerCase().endsWith(ofProject) ? null : String(Number(plain ?? ofUrl)),
  );
  return [{ name: row.name || row.tag_name, datePublished: row.released_at, issues }];
}
