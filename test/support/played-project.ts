import type { ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { IssueState } from '../../src/feedback/issues/issues.ts';
import type { TrackerKind } from '../../src/operations/trackers/kinds.ts';
import { type Received, startReceiver } from './receiver.ts';
import type { Trouble } from './troubles.ts';

export const PROJECT_TOKEN = 'github_pat_test';

/** An issue of a played project, whatever its tracker calls things. Dates are milliseconds. */
export type PlayedIssue = {
  number: number;
  url: string;
  title: string;
  text: string | null;
  state: IssueState;
  created: number;
  changed: number;
  /** What its maker has called it, if the tracker takes that. */
  id?: string;
};

/** `by` is the account that made it. */
export type PlayedComment = { id: number | string; issue: number; text: string; created: number; by: number };

/** The account of the token, and the project. */
export const OWN_ACCOUNT = 7;
export const PROJECT_ID = 1;
export type PlayedRelease = { tag: string; name: string; text: string; published: number };

/** A request that a tracker sends. */
export type Hook = { headers: Record<string, string>; body: string };

/** What a request has that a tracker answers, by its API. */
type Asked = { method: string; asked: URL; written: Record<string, unknown> };

export type Send = (status: number, value: unknown, headers?: Record<string, string>) => unknown;

/** What answers in place of a project at times. */
type Answers = { strike(response: ServerResponse): boolean };

/** The project `acme/app` at a tracker: what it has, and what it was asked to make. */
export abstract class PlayedProject {
  abstract readonly kind: TrackerKind;
  /** What people call it, and the path of its page. */
  get name(): string {
    return 'acme/app';
  }
  readonly path: string = '/acme/app';
  readonly hasReleases: boolean = true;
  /** What else its API does at times. */
  readonly troubles: readonly Trouble[] = [];
  /** What it is called whatever its name is. */
  id = PROJECT_ID;
  readonly issues: PlayedIssue[] = [];
  readonly releases: PlayedRelease[] = [];
  comments: PlayedComment[] = [];
  /** Whether what is made is answered: otherwise the connection breaks after it was made. */
  isMute = false;
  /** The time by which it dates, in milliseconds. */
  readonly now: () => number;
  origin = '';
  #ids = 1_000;

  constructor(now: () => number) {
    this.now = now;
  }

  open(title: string, text: string | null = null): PlayedIssue {
    const number = this.issues.length + 1;
    const at = this.at();
    const url = `${this.origin}${this.pathOf(number)}`;
    const issue: PlayedIssue = { number, url, title, text, state: 'OPEN', created: at, changed: at };
    this.issues.push(issue);
    return issue;
  }

  change(issue: PlayedIssue, changes: Partial<PlayedIssue>): PlayedIssue {
    return Object.assign(issue, changes, { changed: this.at() });
  }

  close(issue: PlayedIssue, state: 'COMPLETED' | 'NOT_PLANNED' = 'COMPLETED'): PlayedIssue {
    return this.change(issue, { state });
  }

  release(tag: string, text: string): PlayedRelease {
    const release = { tag, name: `Version ${tag}`, text, published: this.at() };
    this.releases.unshift(release);
    return release;
  }

  comment(issue: PlayedIssue, text: string, by = OWN_ACCOUNT, id: PlayedComment['id'] = this.#ids++): PlayedComment {
    const made = { id, issue: issue.number, text, created: this.at(), by };
    this.comments.push(made);
    this.change(issue, {});
    return made;
  }

  /** The page of the project. */
  get address(): string {
    return this.origin + this.path;
  }

  /** By what Earshot finds the issues that it has made. */
  keys(): string[] {
    return this.issues.flatMap(({ text }) => text?.match(/<!-- earshot:[\w-]+ -->/g) ?? []);
  }

  /** The texts of the comments on an issue. */
  said(number: number): string[] {
    return this.comments.filter(({ issue }) => issue === number).map(({ text }) => text);
  }

  /** Answers a request as the documentation of the API describes. */
  answer({ method, url, body, headers }: Received, send: Send): unknown {
    if (!this.isSignedIn(headers)) return send(401, { message: 'Unauthorized' });
    if (url.endsWith('/user')) return send(200, { id: OWN_ACCOUNT });
    const written = body.length > 0 ? JSON.parse(body.toString()) : {};
    return this.answerTo({ method, asked: new URL(url, this.origin), written }, send);
  }

  /** Whether a request is to change something. */
  isChange({ method }: Received): boolean {
    return method !== 'GET';
  }

  /** A request about an issue. @param action as the tracker calls it */
  abstract hookOf(action: string, issue: PlayedIssue, secret: string): Promise<Hook>;
  /** A request about something that is of no interest. */
  abstract otherHook(secret: string): Promise<Hook>;
  /** The path of the page of an issue. */
  protected abstract pathOf(number: number): string;
  protected abstract isSignedIn(headers: Received['headers']): boolean;
  protected abstract answerTo(request: Asked, send: Send): unknown;

  /** Sends a page of rows in order, with the address of the next one. */
  protected sendPage(rows: readonly unknown[], { searchParams, pathname }: URL, send: Send): unknown {
    const [page, perPage] = [Number(searchParams.get('page') ?? 1), Number(searchParams.get('per_page') ?? 20)];
    searchParams.set('page', String(page + 1));
    const next = `<${this.origin}${pathname}?${searchParams}>; rel="next"`;
    const hasMore = page * perPage < rows.length;
    return send(200, rows.slice((page - 1) * perPage, page * perPage), hasMore ? { link: next } : {});
  }

  /** Times of trackers have seconds. */
  protected at(): number {
    return Math.floor(this.now() / 1_000) * 1_000;
  }
}

/** A moment as trackers write it. */
export const written = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');

/** Serves a project with the faults that an API on the internet has, if any are given. */
export async function startProject(t: TestContext, project: PlayedProject, troubles?: Answers) {
  const { origin, received } = await startReceiver(t, (request, response) => {
    if (troubles?.strike(response)) return;
    project.answer(request, (status, value, headers = {}) => {
      if (project.isMute && project.isChange(request)) return response.destroy();
      const date = new Date(project.now()).toUTCString();
      response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', date, ...headers });
      return response.end(value === null ? undefined : JSON.stringify(value));
    });
  });
  project.origin = origin;
  return { origin, received };
}
