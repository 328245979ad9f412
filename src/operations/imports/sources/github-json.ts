import { quantity } from '../../../platform/lib/quantity.ts';
import { parseDate } from '../dates.ts';
import { ImportError, type ImportItem } from '../items.ts';
import { personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { readJsonFile } from './json.ts';
import { itemListOf, listOf, type Row, rowOf, textOf } from './rows.ts';

/**
 * Issues of GitHub: as `gh issue list --state all --limit 10000 --json number,title,body,author,state,stateReason,labels,createdAt,comments,reactionGroups`
 * prints them (https://cli.github.com/manual/gh_issue_list), or as the REST API lists them.
 */
export async function* readGithubJson(file: string, maxBytes?: number): AsyncGenerator<ImportItem> {
  const issues = await readJsonFile(file, maxBytes);
  if (!Array.isArray(issues)) throw new ImportError('The file is not a list of issues');
  let pulls = 0;
  for (const [at, issue] of issues.entries()) {
    const row = rowOf(issue);
    // The REST API lists pull requests as issues.
    if (row.pull_request) pulls++;
    else yield* caught(at + 1, () => itemsOf(row, at + 1));
  }
  const message = `${quantity(pulls, 'pull request is', 'pull requests are')} left out`;
  if (pulls > 0) yield { kind: 'problem', line: issues.length, message };
}

/** An issue, with the comments that it lists. */
export function* itemsOf(issue: Row, line: number): Generator<ImportItem> {
  const id = String(issue.number ?? numberIn(issue));
  yield {
    kind: 'post',
    line,
    id,
    title: textOf(issue.title),
    text: textOf(issue.body) || null,
    author: authorOf(issue),
    dateCreated: dateOf(issue),
    status: statusOf(issue),
    tags: itemListOf(issue.labels).map((label) => textOf(rowOf(label).name) || textOf(label)),
  };
  const count = thumbsUp(issue);
  if (count > 0) yield { kind: 'voteCount', line, postId: id, count, isTotal: true };
  for (const comment of listOf(issue.comments).map(rowOf)) {
    const commentId = textOf(comment.id) || `${id} ${textOf(comment.createdAt)} ${textOf(comment.body)}`;
    yield commentOf(comment, commentId, id, line);
  }
}

/** The number in the address of an issue, or of its first comment, if it was listed without one. */
function numberIn({ url, html_url, comments }: Row): string {
  const addresses = [url, html_url, rowOf(listOf(comments)[0]).url].map(textOf);
  return addresses.map((address) => /\/(?:issues|discussions)\/(\d+)/.exec(address)?.[1]).find(Boolean) ?? '';
}

/** A comment on the issue with this number. */
export function commentOf(comment: Row, id: string, postId: string, line: number): ImportItem {
  return {
    kind: 'comment',
    line,
    id,
    postId,
    parentId: null,
    type: 'BASIC',
    text: textOf(comment.body),
    author: authorOf(comment),
    dateCreated: dateOf(comment),
  };
}

/** Who wrote an issue or a comment, or reacted. */
export function authorOf({ author, user }: Row) {
  const { login, name } = rowOf(author ?? user);
  return personOf({ id: textOf(login), name: textOf(name) || textOf(login) });
}

/** When that was. */
export const dateOf = ({ createdAt, created_at }: Row) => parseDate(textOf(createdAt ?? created_at));

/** What is closed was done, unless it says otherwise. */
function statusOf({ state, stateReason, state_reason }: Row): string {
  if (textOf(state).toLowerCase() !== 'closed') return 'Open';
  return /not_planned|duplicate/i.test(textOf(stateReason ?? state_reason)) ? 'Not planned' : 'Completed';
}

/** How many gave an issue a thumbs up. */
export function thumbsUp({ reactionGroups, reactions }: Row): number {
  const group = listOf(reactionGroups)
    .map(rowOf)
    .find(({ content }) => content === 'THUMBS_UP');
  return Number(rowOf(group?.users).totalCount ?? rowOf(reactions)['+1'] ?? 0) || 0;
}
