import type { IncomingHttpHeaders } from 'node:http';
import type { IssueState } from '../../feedback/issues/issues.ts';
import type { Refusal, TrackerClient } from './client.ts';
import type { TrackerKind } from './kinds.ts';

/** An issue as its tracker has it. */
export type Issue = {
  /** What the tracker calls it, within its project. */
  issue: string;
  url: string;
  title: string;
  state: IssueState;
  /** When it changed last, by the clock of the tracker. */
  dateChanged: number;
};

/** A published release, and the issues of its project that its notes name. */
export type Release = { name: string; datePublished: number; issues: readonly string[] };

/** What a tracker says has happened: issues as they are now, those that must be read to know, as they may be gone, and releases. */
export type News = {
  /** What the tracker calls the project whatever its name is. */
  projectKey: string;
  issues: readonly Issue[];
  unclear: readonly string[];
  releases: readonly Release[];
};

/** A page of issues that have changed; `next` is null on the last one, `sent` the time by the clock of the tracker. */
export type ChangedIssues = { issues: readonly Issue[]; next: string | null; sent: number | null };

/** A project as its tracker has it: its name, what it is called whatever that is, and the account that the token is of; '' if unknown. */
export type Found = { project: string; projectKey: string; account: string };

/** A text, and the key by which what is made of it is found again. */
export type Keyed = { text: string; key: string };

/** Where the issues of a project are. */
export type Project = { project: string; apiUrl: string };

/**
 * What differs between issue trackers: all that the engine needs of one. Its functions throw `TrackerFault`, and find what
 * Earshot made by a key, in whatever way the tracker keeps one, and by the account that made it: others can copy a key.
 */
export type TrackerProduct = {
  kind: TrackerKind;
  /** The project that a person named, such as by its address; null if it is none. */
  parseProject(text: string): Project | null;
  /** The issue of a project that a person named, by its address or number; null if it is none of it. */
  parseIssue(project: Project, text: string): { issue: string; url: string } | null;
  /** An issue as people name it. */
  nameIssue(project: string, issue: string): string;
  /** The headers of every request. */
  headersOf(token: string): Record<string, string>;
  /** The refusal in the body of a response, if its status alone does not say so. */
  refusalIn?(body: unknown): Refusal | null;
  /** Finds out whether the project can be read, and what it is. */
  check(client: TrackerClient): Promise<Found>;
  /** Null if it is gone. */
  readIssue(client: TrackerClient, issue: string): Promise<Issue | null>;
  makeIssue(client: TrackerClient, content: { title: string } & Keyed): Promise<Issue>;
  /** An issue with this key that was made since then. */
  findIssue(client: TrackerClient, key: string, since: number): Promise<Issue | null>;
  /** Makes a comment, or changes one. @returns what the tracker calls it; null if the issue or the comment is gone */
  writeComment(client: TrackerClient, issue: string, commentId: string | null, content: Keyed): Promise<string | null>;
  /** A comment with this key that was made since then. */
  findComment(client: TrackerClient, issue: string, key: string, since: number): Promise<string | null>;
  deleteComment(client: TrackerClient, commentId: string): Promise<void>;
  /** @param page `next` of the page before; null for the first one */
  listChanged(client: TrackerClient, since: number, page: string | null): Promise<ChangedIssues>;
  /** The newest releases. */
  listReleases(client: TrackerClient): Promise<readonly Release[]>;
  /** Makes the webhook that sends to a URL, or gives the one that is there this secret, where people cannot enter one. */
  makeHook?(client: TrackerClient, hook: { url: string; secret: string }): Promise<void>;
  /** Whether a request comes from the tracker, which has the secret. */
  verify(headers: IncomingHttpHeaders, body: Buffer, secret: string): boolean;
  /** What a request of the tracker says; null for what is of no interest. @throws BAD_REQUEST */
  parseNews(headers: IncomingHttpHeaders, body: Buffer, now: number): News | null;
  /** A text of users as Markdown that calls no one and refers to nothing in the tracker. */
  makeInert(text: string): string;
};
