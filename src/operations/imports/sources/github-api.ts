import { MINUTE_MS } from '../../../platform/lib/clock.ts';
import { printable } from '../../../platform/texts/text.ts';
import { ImportError, type ImportItem } from '../items.ts';
import type { Look } from '../memory.ts';
import type { Remote } from '../remote.ts';
import { caught } from './bounds.ts';
import { authorOf, commentOf, dateOf, itemsOf, thumbsUp } from './github-json.ts';
import { type Row, requireList, rowOf, textOf } from './rows.ts';

/** Pages of one list, of up to a hundred items each. */
const MAX_PAGES = 100_000;
/** How far a look goes back before the last one: copies of GitHub's data may lag behind. */
const OVERLAP_MS = 5 * MINUTE_MS;
const SINCE = 'since';

/** What is read of GitHub: the issues of a repository, with a token or none. */
type GithubSource = { remote: Remote; url: string; token: string };

/**
 * The issues of a repository by the REST API (docs.github.com/en/rest/issues): with comments, labels and, with a token,
 * thumbs up as votes. A look that is not whole asks for what has changed since the last one, which thumbs up do not.
 */
export async function* readGithub(source: GithubSource, look: Look): AsyncGenerator<ImportItem> {
  const github = new Github(source, look);
  yield* github.issues();
  yield* github.comments();
}

class Github {
  readonly #source: GithubSource;
  readonly #look: Look;
  readonly #base: string;
  readonly #since: string | undefined;

  constructor(source: GithubSource, look: Look) {
    this.#source = source;
    this.#look = look;
    this.#base = baseOf(source.url);
    this.#since = look.isWhole ? undefined : look.memory.get(SINCE);
  }

  async *issues(): AsyncGenerator<ImportItem> {
    const { memory } = this.#look;
    let line = 0;
    for await (const issue of this.#list('issues', 'issues?state=all&')) {
      line++;
      // They are listed as issues.
      if (issue.pull_request) continue;
      const id = String(issue.number ?? '');
      const { title, body, state, state_reason: reason, reactions, ...rest } = issue;
      const written = { ...rest, title, body, state, state_reason: reason };
      if (memory.isNew(`issue ${id}`, [title, body, state, reason])) yield* caught(line, () => itemsOf(written, line));
      if (reactions === undefined) continue;
      const thumbs = thumbsUp({ reactions });
      if (!memory.isNew(`votes ${id}`, thumbs)) continue;
      if (this.#source.token !== '' && thumbs > 0) yield* this.#votes(id, line);
      // Also those of accounts that are gone, and those that were counted without a token before.
      if (thumbs > 0 || !memory.isEmpty) yield { kind: 'voteCount', line, postId: id, count: thumbs, isTotal: true };
    }
  }

  async *#votes(postId: string, line: number): AsyncGenerator<ImportItem> {
    for await (const reaction of this.#list('votes', `issues/${postId}/reactions?content=%2B1&`)) {
      const voter = reaction.content === '+1' ? authorOf(reaction) : null;
      if (voter) yield { kind: 'vote', line, postId, voter, dateCreated: dateOf(reaction) };
    }
  }

  async *comments(): AsyncGenerator<ImportItem> {
    let line = 0;
    for await (const comment of this.#list('comments', 'issues/comments?')) {
      line++;
      const id = textOf(comment.node_id) || String(comment.id ?? '');
      const isOnIssue = !/\/pull\/\d+/.test(textOf(comment.html_url));
      if (!isOnIssue || !this.#look.memory.isNew(`comment ${id}`, id)) continue;
      const postId = textOf(comment.issue_url).split('/').at(-1) ?? '';
      yield* caught(line, () => [commentOf(comment, id, postId, line)]);
    }
  }

  /** In the order of their creation: what changes while pages are read moves nothing to an earlier page. */
  async *#list(name: 'issues' | 'votes' | 'comments', path: string): AsyncGenerator<Row> {
    const since = this.#since !== undefined && name !== 'votes' ? `&since=${this.#since}` : '';
    const order = name === 'votes' ? '' : '&sort=created&direction=asc';
    let url: string | null = `${this.#base}/${path}per_page=100${order}${since}`;
    for (let page = 0; url !== null; page++) {
      if (page === MAX_PAGES) throw new ImportError(`A list has over ${MAX_PAGES.toLocaleString('en')} pages`);
      const answer = await this.#get(url);
      // The issue may have been deleted since it was listed.
      if (name === 'votes' && (answer.status === 404 || answer.status === 410)) return;
      this.#requireFound(answer);
      if (page === 0 && name === 'issues' && answer.sent !== null)
        this.#look.memory.set(SINCE, new Date(answer.sent - OVERLAP_MS).toISOString());
      for (const row of requireList(answer.body, name)) yield rowOf(row);
      url = answer.next;
    }
  }

  #get(url: string) {
    const { remote, token } = this.#source;
    return remote.getJson(url, {
      Accept: 'application/vnd.github+json',
      'X-GitHub-Api-Version': '2022-11-28',
      ...(token !== '' && { Authorization: `Bearer ${token}` }),
    });
  }

  #requireFound({ status, body }: { status: number; body: unknown }): void {
    if (status === 200) return;
    const words = printable(textOf(rowOf(body).message) || `status ${status}`, 300);
    throw new ImportError(
      `GitHub refused ${printable(this.#base, 200)}: ${words}. Check the address, such as https://api.github.com/repos/acme/app, and GITHUB_TOKEN`,
    );
  }
}

/** The address of the repository in the API; that of its page will do, also on a server of GitHub Enterprise. */
export function baseOf(given: string): string {
  const url = given.replace(/\/+$/, '').replace(/\/issues$/, '');
  const [, origin, owner, name] = /^(https?:\/\/[^/]+)\/([^/?#]+)\/([^/?#]+)$/i.exec(url) ?? [];
  if (!origin || !owner || !name) return url;
  const api = /^https:\/\/(?:www\.)?github\.com$/i.test(origin) ? 'https://api.github.com' : `${origin}/api/v3`;
  return `${api}/repos/${owner}/${name.replace(/\.git$/, '')}`;
}
