import { createHmac, hash } from 'node:crypto';
import * as z from 'zod';
import { MINUTE_MS } from '../../platform/lib/clock.ts';
import { msg } from '../../platform/messages.ts';
import type { Refusal, TrackerClient } from './client.ts';
import { TrackerFault } from './fault.ts';
import type { Issue, TrackerProduct } from './product.ts';
import {
  breakAfter,
  instant,
  isEqual,
  isOwn,
  moment,
  number,
  pageUrl,
  readAs,
  readRequest,
  readRows,
} from './reading.ts';

/** The pages of Linear, and its API. */
const LINEAR = 'https://linear.app';
const API = 'https://api.linear.app';
const PATH = '/graphql';
const NAME = 'Linear';

/** Comments that can be made of one idea on one issue, each after the one before it was deleted. */
const MAX_COMMENTS = 10;
/** Former numbers of an issue that are looked for: it has one of each team that it was in. */
const MAX_FORMER = 100;
/** How old a request may be that is believed, by https://linear.app/developers/webhooks#securing-webhooks */
const MAX_AGE_MS = MINUTE_MS;

/** https://github.com/linear/linear/blob/master/packages/sdk/src/schema.graphql */
const ISSUE = z.object({
  id: z.string(),
  number,
  url: pageUrl,
  title: z.string(),
  updatedAt: moment,
  trashed: z.boolean().nullish(),
  creator: z.object({ id: z.string() }).nullish(),
  state: z.object({ type: z.string() }),
});
const ROW = 'id number url title updatedAt trashed creator { id } state { type }';

const ISSUES = z.object({
  team: z.object({
    issues: z.object({
      nodes: z.unknown(),
      pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
    }),
  }),
});
// Closed issues are archived after some months, and stay what they are.
const LIST = `query ($team: String!, $filter: IssueFilter, $first: Int, $after: String) {
  team(id: $team) {
    issues(filter: $filter, first: $first, after: $after, orderBy: updatedAt, includeArchived: true) {
      nodes { ${ROW} } pageInfo { hasNextPage endCursor }
    }
  }
}`;

const FOUND = z.object({
  viewer: z.object({ id: z.string() }),
  organization: z.object({ urlKey: z.string().regex(/^[\w-]{1,100}$/) }),
  teams: z.object({ nodes: z.array(z.object({ id: z.string().min(1), key: z.string().regex(/^[A-Za-z]\w{0,19}$/) })) }),
});
const FIND = `query ($key: String!) {
  viewer { id }
  organization { urlKey }
  teams(filter: { key: { eqIgnoreCase: $key } }, first: 1) { nodes { id key issues(first: 1) { nodes { id } } } }
}`;

const CREATE = `mutation ($input: IssueCreateInput!) { issueCreate(input: $input) { issue { ${ROW} } } }`;
const COMMENTS = `query ($ids: [ID!]!) {
  comments(filter: { id: { in: $ids } }, first: ${2 * MAX_COMMENTS}) { nodes { id user { id } } }
}`;
const COMMENT = 'mutation ($input: CommentCreateInput!) { commentCreate(input: $input) { success } }';
const EDIT =
  'mutation ($id: String!, $input: CommentUpdateInput!) { commentUpdate(id: $id, input: $input) { success } }';
const DELETE = 'mutation ($id: String!) { commentDelete(id: $id) { success } }';
const HOOKS = '{ webhooks(first: 250) { nodes { id url team { id } } } }';
const HOOK = 'mutation ($input: WebhookCreateInput!) { webhookCreate(input: $input) { success } }';
const RENEW =
  'mutation ($id: String!, $input: WebhookUpdateInput!) { webhookUpdate(id: $id, input: $input) { success } }';

const COMMENT_ROWS = z.object({
  comments: z.object({
    nodes: z.array(z.object({ id: z.string(), user: z.object({ id: z.string() }).nullish() })),
  }),
});
const HOOK_ROWS = z.object({
  webhooks: z.object({
    // Without a team, it is one of all public teams, or of several.
    nodes: z.array(
      z.object({ id: z.string(), url: z.string().nullish(), team: z.object({ id: z.string() }).nullish() }),
    ),
  }),
});

/** What became of a webhook. */
const DONE = z.record(z.string(), z.object({ success: z.literal(true) }));

const REFUSAL = z.object({
  errors: z.tuple(
    [
      z.object({
        message: z.string().nullish(),
        extensions: z.object({ code: z.string().nullish(), userPresentableMessage: z.string().nullish() }).nullish(),
      }),
    ],
    z.unknown(),
  ),
});

/** https://linear.app/developers/webhooks#webhook-payload */
const NEWS = z.object({ action: z.string(), webhookTimestamp: z.number() });
const ISSUE_NEWS = z.object({
  data: z.looseObject({ number, teamId: z.string(), previousIdentifiers: z.array(z.string()).nullish() }),
  updatedFrom: z.object({ teamId: z.string().nullish() }).nullish(),
});

/** Linear, by its GraphQL API with an API key. A project is a team, and an issue its number there. */
export const linear: TrackerProduct = {
  kind: 'LINEAR',
  parseProject(text) {
    const [, ofName = '', name] = /^(?:([\w-]{1,100})\/)?([A-Za-z]\w{0,19})$/.exec(text.trim()) ?? [];
    if (name) return { project: nameOf(ofName, name), apiUrl: API };
    const url = URL.parse(text.trim());
    const [, ofUrl, key] =
      /^\/([\w-]{1,100})\/(?:team|issue)\/([A-Za-z]\w{0,19})(?:[/-]|$)/.exec(url?.pathname ?? '') ?? [];
    if (!url || !/^https?:$/.test(url.protocol) || !ofUrl || !key || url.username !== '') return null;
    const isLinear = /^(www\.)?linear\.app$/.test(url.host);
    return { project: nameOf(ofUrl, key), apiUrl: isLinear ? API : url.origin };
  },
  parseIssue({ project, apiUrl }, text) {
    const [workspace = '', key = ''] = project.split('/');
    const base = `${apiUrl === API ? LINEAR : apiUrl}/${workspace}/issue/${key}-`;
    const [, plain] = /^#?(\d{1,9})$/.exec(text.trim()) ?? [];
    const [, named, ofName] = /^(\w{1,20})-(\d{1,9})$/.exec(text.trim()) ?? [];
    const [, path, ofUrl] = /^(https?:\/\/.+\/issue\/\w{1,20}-)(\d{1,9})(?:[/?#].*)?$/.exec(text.trim()) ?? [];
    if (named !== undefined && named.toLowerCase() !== key.toLowerCase()) return null;
    if (path !== undefined && path.toLowerCase().replace('//www.', '//') !== base.toLowerCase()) return null;
    const issue = String(Number(plain ?? ofName ?? ofUrl ?? 0));
    return issue === '0' ? null : { issue, url: base + issue };
  },
  nameIssue: (project, issue) => `${project.split('/')[1]}-${issue}`,
  headersOf: (token) => ({ Accept: 'application/json', Authorization: token }),
  refusalIn,
  async check(client) {
    const [key = '', workspace = ''] = client.project.split('/').reverse();
    const { viewer, organization, teams } = (await ask(client, FOUND, FIND, { key })).data;
    const [team] = teams.nodes;
    if (workspace !== '' && workspace.toLowerCase() !== organization.urlKey.toLowerCase())
      throw new TrackerFault(msg('trackerOtherWorkspace', organization.urlKey), null);
    if (!team) throw new TrackerFault(msg('trackerNoTeam', organization.urlKey, key), null);
    return { project: `${organization.urlKey}/${team.key}`, projectKey: team.id, account: viewer.id };
  },
  async readIssue(client, issue) {
    const row = await findRow(client, { number: { eq: Number(issue) } });
    return row && viewIssue(row);
  },
  async makeIssue(client, { title, text, key }) {
    const input = { id: idOf(client, key), teamId: client.projectKey, title, description: text };
    const type = z.object({ issueCreate: z.object({ issue: ISSUE }) });
    return viewIssue((await ask(client, type, CREATE, { input })).data.issueCreate.issue);
  },
  async findIssue(client, key) {
    const row = await findRow(client, { id: { in: [idOf(client, key), formerIdOf(key)] } });
    return row && isOwn(client, row.creator) ? viewIssue(row) : null;
  },
  async writeComment(client, issue, commentId, { text, key }) {
    if (commentId !== null) return (await changeComment(client, commentId, text)) ? commentId : null;
    const row = await findRow(client, { number: { eq: Number(issue) } });
    if (!row) return null;
    return makeComment(
      client,
      { issueId: row.id, body: text },
      commentKeys(key).map((each) => idOf(client, each)),
    );
  },
  async findComment(client, _, key) {
    const ids = commentKeys(key).flatMap((each) => [idOf(client, each), formerIdOf(each)]);
    const [found] = await findComments(client, ids);
    return found ?? null;
  },
  async deleteComment(client, commentId) {
    await unlessGone(client, commentId, () => ask(client, z.unknown(), DELETE, { id: commentId }));
  },
  async listChanged(client, since, page) {
    // The newest first, as Linear lists them.
    const variables = { filter: { updatedAt: { gte: instant(since) } }, first: 100, after: page };
    const { data, sent } = await ask(client, ISSUES, LIST, { ...variables, team: client.projectKey });
    const { nodes, pageInfo } = data.team.issues;
    const rows = readRows(NAME, ISSUE, nodes).filter(({ trashed }) => !trashed);
    const next = pageInfo.hasNextPage && pageInfo.endCursor !== page ? (pageInfo.endCursor ?? null) : null;
    return { issues: rows.map(viewIssue), next, sent };
  },
  // Those of Linear are of its pipelines, not of teams.
  listReleases: async () => [],
  async makeHook(client, { url, secret }) {
    const set = { url, secret, resourceTypes: ['Issue'] };
    const { webhooks } = (await ask(client, HOOK_ROWS, HOOKS, {})).data;
    const known = webhooks.nodes.find(({ team, ...each }) => each.url === url && team?.id === client.projectKey);
    if (known) await ask(client, DONE, RENEW, { id: known.id, input: { ...set, enabled: true } });
    else await ask(client, DONE, HOOK, { input: { ...set, teamId: client.projectKey, label: 'Earshot' } });
  },
  verify(headers, body, secret) {
    const wanted = createHmac('sha256', secret).update(body).digest('hex');
    return isEqual(String(headers['linear-signature'] ?? ''), wanted);
  },
  parseNews(_, body, now) {
    const { type } = readRequest(NAME, z.object({ type: z.string() }), body);
    if (type !== 'Issue') return null;
    const { action, webhookTimestamp } = readRequest(NAME, NEWS, body);
    const { data, updatedFrom } = readRequest(NAME, ISSUE_NEWS, body);
    const nothing = { projectKey: data.teamId, issues: [], unclear: [], releases: [] };
    if (updatedFrom?.teamId) {
      // It has left a team, and its number there.
      const numbers = (data.previousIdentifiers ?? []).flatMap((name) => /-(\d{1,9})$/.exec(name)?.[1] ?? []);
      return { ...nothing, projectKey: updatedFrom.teamId, unclear: [...new Set(numbers)].slice(0, MAX_FORMER) };
    }
    // One that comes late, or once more, is a reason to read the issue: Linear disables webhooks that refuse.
    const isLate = Math.abs(now - webhookTimestamp) > MAX_AGE_MS;
    const told = ISSUE.safeParse(data).data;
    if (isLate || action === 'remove' || !told || told.trashed) return { ...nothing, unclear: [String(data.number)] };
    return { ...nothing, issues: [viewIssue(told)] };
  },
  // Names, identifiers such as ENG-12, addresses of pages, and tags of HTML.
  makeInert: (text) => breakAfter(text, /(?<=[@#]|\b[a-z]\w{0,19}-|\blinear\.app\/)(?=\w)|(?<=<)(?=[\w/!?])/gi),
};

const nameOf = (workspace: string, key: string) => [workspace, key.toUpperCase()].filter(Boolean).join('/');

/** https://linear.app/developers/graphql#errors: there are errors also in responses with status 200. */
function refusalIn(body: unknown): Refusal | null {
  const { data } = REFUSAL.safeParse(body);
  if (!data) return null;
  const [{ message, extensions }] = data.errors;
  const words = [message, extensions?.userPresentableMessage].filter(Boolean).join(': ');
  const reason =
    extensions?.code === 'RATELIMITED' ? 'LIMIT' : extensions?.code === 'AUTHENTICATION_ERROR' ? 'TOKEN' : null;
  return { reason, words };
}

async function ask<Data>(client: TrackerClient, type: z.ZodType<Data>, query: string, variables: object) {
  const { body, sent } = await client.ask('POST', PATH, { body: { query, variables } });
  return { data: readAs(NAME, z.object({ data: type }), body).data, sent };
}

/** An issue of the team, unless it was thrown away. */
async function findRow(client: TrackerClient, filter: object): Promise<z.infer<typeof ISSUE> | null> {
  const { data } = await ask(client, ISSUES, LIST, { team: client.projectKey, filter, first: 1 });
  const [row] = readAs(NAME, z.array(ISSUE), data.team.issues.nodes);
  return row && !row.trashed ? row : null;
}

/** Which of these comments are there, and one's own. */
async function findComments(client: TrackerClient, ids: readonly string[]): Promise<string[]> {
  const { nodes } = (await ask(client, COMMENT_ROWS, COMMENTS, { ids })).data.comments;
  return nodes.filter(({ user }) => isOwn(client, user)).map(({ id }) => id);
}

/** Makes a comment with the first of these ids that no other one has or had. */
async function makeComment(
  client: TrackerClient,
  content: { issueId: string; body: string },
  ids: readonly string[],
): Promise<string | null> {
  const [id, ...others] = ids;
  try {
    await ask(client, z.unknown(), COMMENT, { input: { ...content, id } });
    return id ?? null;
  } catch (fault) {
    const isTaken = fault instanceof TrackerFault && /conflict on insert/i.test(fault.message);
    if (!isTaken || !id || others.length === 0) throw fault;
    const isOwnOne = (await findComments(client, [id])).length > 0;
    if (isOwnOne && (await changeComment(client, id, content.body))) return id;
    return makeComment(client, content, others);
  }
}

function changeComment(client: TrackerClient, id: string, body: string): Promise<boolean> {
  return unlessGone(client, id, () => ask(client, z.unknown(), EDIT, { id, input: { body } }));
}

/** Does something with a comment. @returns whether it is there */
async function unlessGone(client: TrackerClient, id: string, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (fault) {
    const isRefused = fault instanceof TrackerFault && fault.pauseMs === null;
    if (!isRefused || (await findComments(client, [id])).length > 0) throw fault;
    return false;
  }
}

const commentKeys = (key: string) => Array.from({ length: MAX_COMMENTS }, (_, n) => `${key} comment ${n}`);

/** What is made gets an id of a key, so that Linear makes it once only. No one else knows the id, and can take it before. */
const idOf = (client: TrackerClient, key: string) => uuidOf(client.nameOf(key));

/** The id that Earshot 1.0.0 gave: what it has made without a response is found by it. */
const formerIdOf = (key: string) => uuidOf(hash('sha256', `earshot ${key}`, 'hex'));

/** The id of these digits: by the schema of Linear one of version 4. */
function uuidOf(digits: string): string {
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');
}

function viewIssue({ number, url, title, state, updatedAt: dateChanged }: z.infer<typeof ISSUE>): Issue {
  return { issue: String(number), url, title, state: stateOf(state.type), dateChanged };
}

function stateOf(type: string): Issue['state'] {
  if (type === 'completed') return 'COMPLETED';
  return type === 'canceled' || type === 'duplicate' ? 'NOT_PLANNED' : 'OPEN';
}
