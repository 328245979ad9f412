import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { buildSchema, GraphQLError, graphqlSync } from 'graphql';
import {
  type Hook,
  OWN_ACCOUNT,
  type PlayedComment,
  type PlayedIssue,
  PlayedProject,
  PROJECT_TOKEN,
  type Send,
} from './played-project.ts';
import type { Received } from './receiver.ts';
import type { Trouble } from './troubles.ts';

const schema = buildSchema(readFileSync(new URL('linear.graphql', import.meta.url), 'utf8'));

const stateTypes = { OPEN: 'started', COMPLETED: 'completed', NOT_PLANNED: 'canceled' } as const;

type Filter = { number?: { eq: number }; id?: { in: string[] }; updatedAt?: { gte: string } };
type ListArgs = { filter?: Filter; first: number; after?: string };
type PlayedHook = { id: string; url: string; secret: string; enabled: boolean; teamId?: string };

/** https://linear.app/developers/rate-limiting: a limit is told of with status 400. */
const limit: Trouble = (response) => {
  const headers = { 'x-ratelimit-requests-remaining': '0', 'x-ratelimit-requests-reset': String(Date.now()) };
  const body = { errors: [{ message: 'Rate limit exceeded', extensions: { code: 'RATELIMITED' } }] };
  response.writeHead(400, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
};

/**
 * A team at Linear: each document that Earshot sends is carried out by an excerpt of Linear's own schema. Requests are as
 * https://linear.app/developers/webhooks describes them.
 */
export class LinearProject extends PlayedProject {
  readonly kind = 'LINEAR' as const;
  override get name(): string {
    return 'acme/APP';
  }
  override readonly path = '/acme/team/APP';
  override readonly hasReleases = false;
  override readonly troubles = [limit];
  readonly hooks: PlayedHook[] = [];
  /** Whether the key is one of an admin. */
  isAdmin = true;
  /** Ids of what was made, also of what was deleted since. */
  readonly #ids = new Set<string>();

  override keys(): string[] {
    return this.issues.flatMap(({ id }) => id ?? []);
  }

  override isChange({ body }: Received): boolean {
    return /"query":"mutation/.test(body.toString());
  }

  override answer({ method, url, body, headers }: Received, send: Send): unknown {
    const refuse = (status: number, message: string, code: string) =>
      send(status, { errors: [{ message, extensions: { code } }] });
    if (headers.authorization !== PROJECT_TOKEN)
      return refuse(401, 'Authentication required, not authenticated', 'AUTHENTICATION_ERROR');
    if (method !== 'POST' || url !== '/graphql') return refuse(404, 'Not found', 'NOT_FOUND');
    const { query, variables } = JSON.parse(body.toString());
    return send(200, graphqlSync({ schema, source: query, rootValue: this.#root, variableValues: variables }));
  }

  async hookOf(action: string, issue: PlayedIssue, secret: string): Promise<Hook> {
    const { creator, ...row } = viewIssue(issue);
    const data = { ...row, teamId: String(this.id), previousIdentifiers: [] };
    return this.#hook({ action: action === 'opened' ? 'create' : 'update', type: 'Issue', data, url: row.url }, secret);
  }

  async otherHook(secret: string): Promise<Hook> {
    return this.#hook({ action: 'create', type: 'Reaction', data: { id: randomUUID(), emoji: 'x' } }, secret);
  }

  protected pathOf(number: number): string {
    return `/acme/issue/APP-${number}/night-theme`;
  }

  protected isSignedIn(): boolean {
    return true;
  }

  protected answerTo(): unknown {
    throw new Error('Linear has one path');
  }

  /** Linear has milliseconds. */
  protected override at(): number {
    return this.now();
  }

  get #root() {
    const team = { id: String(this.id), key: 'APP', issues: (args: ListArgs) => this.#list(args) };
    const done = { success: true };
    return {
      viewer: viewAccount(OWN_ACCOUNT),
      organization: { urlKey: 'acme' },
      teams: ({ filter }: { filter: { key: { eqIgnoreCase: string } } }) => ({
        nodes: filter.key.eqIgnoreCase.toLowerCase() === 'app' ? [team] : [],
      }),
      team: ({ id }: { id: string }) => (id === team.id ? team : refuse('Entity not found: Team')),
      comments: ({ filter }: { filter: { id: { in: string[] } } }) => ({
        nodes: this.comments.filter(({ id }) => filter.id.in.includes(String(id))).map(viewComment),
      }),
      issueCreate: ({ input }: { input: { id: string; title: string; description: string } }) => {
        this.#take('Issue', input.id);
        const made = Object.assign(this.open(input.title, withoutHtml(input.description)), { id: input.id });
        return { issue: viewIssue(made) };
      },
      commentCreate: ({ input }: { input: { id: string; issueId: string; body: string } }) => {
        const issue = this.issues.find((each) => idOf(each) === input.issueId);
        if (!issue) return refuse('Entity not found: Issue');
        this.#take('Comment', input.id);
        this.comment(issue, withoutHtml(input.body), OWN_ACCOUNT, input.id);
        return done;
      },
      commentUpdate: ({ id, input }: { id: string; input: { body: string } }) => {
        Object.assign(this.#comment(id), { text: withoutHtml(input.body) });
        return done;
      },
      commentDelete: ({ id }: { id: string }) => {
        const found = this.#comment(id);
        this.comments = this.comments.filter((each) => each !== found);
        return done;
      },
      webhooks: () =>
        this.isAdmin
          ? { nodes: this.hooks.map((hook) => ({ ...hook, team: hook.teamId ? { id: hook.teamId } : null })) }
          : refuse('Access denied'),
      webhookCreate: ({ input }: { input: PlayedHook }) => {
        if (!this.isAdmin) return refuse('Access denied');
        this.hooks.push({ ...input, id: randomUUID(), enabled: true });
        return done;
      },
      webhookUpdate: ({ id, input }: { id: string; input: PlayedHook }) => {
        Object.assign(this.hooks.find((each) => each.id === id) ?? refuse('Entity not found: Webhook'), input);
        return done;
      },
    };
  }

  /** The newest first, page by page. */
  #list({ filter = {}, first, after = '0' }: ListArgs) {
    const found = this.issues.filter(
      (issue) =>
        (filter.number === undefined || filter.number.eq === issue.number) &&
        (filter.id === undefined || filter.id.in.includes(idOf(issue))) &&
        issue.changed >= (Date.parse(filter.updatedAt?.gte ?? '') || 0),
    );
    const end = Number(after ?? 0) + first;
    const nodes = found.sort((a, b) => b.changed - a.changed).slice(Number(after ?? 0), end);
    return { nodes: nodes.map(viewIssue), pageInfo: { hasNextPage: end < found.length, endCursor: String(end) } };
  }

  #comment(id: string): PlayedComment {
    return this.comments.find((each) => each.id === id) ?? refuse('Entity not found: Comment');
  }

  #take(entity: string, id: string): void {
    if (!/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(id))
      refuse('Argument Validation Error');
    if (this.#ids.has(id)) refuse(`conflict on insert of ${entity}`);
    this.#ids.add(id);
  }

  #hook(payload: object, secret: string): Hook {
    const body = JSON.stringify({ ...payload, organizationId: 'acme', webhookTimestamp: this.now() });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return { headers: { 'content-type': 'application/json; charset=utf-8', 'linear-signature': signature }, body };
  }
}

/** Refusals have status 200. */
function refuse(message: string): never {
  throw new GraphQLError(message, { extensions: { code: 'INPUT_ERROR', type: 'invalid input' } });
}

/** Comments of HTML are lost on the way to Linear's documents. */
const withoutHtml = (text: string) => text.replace(/\s*<!--.*?-->/gs, '');

const idOf = ({ id, number }: PlayedIssue) => id ?? `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

const viewAccount = (id: number) => ({ id: String(id) });

function viewIssue(issue: PlayedIssue) {
  const { number, url, title, state, changed } = issue;
  return {
    id: idOf(issue),
    number,
    url,
    title,
    updatedAt: new Date(changed).toISOString(),
    trashed: null,
    creator: viewAccount(OWN_ACCOUNT),
    state: { id: randomUUID(), type: stateTypes[state] },
  };
}

const viewComment = ({ id, by }: PlayedComment) => ({ id, user: viewAccount(by) });
