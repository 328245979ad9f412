import { changelogLabels } from '../../../feedback/changelog/entries.ts';
import { MAX_LINKED_POSTS } from '../../../feedback/changelog/linking.ts';
import { changelogReactions } from '../../../feedback/changelog/reactions.ts';
import { commentReactions } from '../../../feedback/comments/reactions.ts';
import { type AttributeChanges, mapAttributes } from '../../../feedback/posts/attributes.ts';
import { type ModerationStatus, moderationStatuses } from '../../../feedback/visibility/posts.ts';
import { parseDate } from '../dates.ts';
import { decode } from '../decoding.ts';
import { ImportError, type ImportedFile, type ImportItem } from '../items.ts';
import type { Remote } from '../remote.ts';
import { filesIn } from './board-files.ts';
import { boardUserOf } from './board-user.ts';
import { caught } from './bounds.ts';
import { itemListOf, type Row, rowOf, textOf } from './rows.ts';

const WRITTEN = ['BASIC', 'INTERNAL', 'OFFICIAL'] as const;
const TYPES = ['UP', 'DOWN'] as const;
const VISIBILITIES = ['PUBLIC', 'TEAM', 'HIDDEN'] as const;

/** The JSONL export of Earshot. Its files are downloaded from the board that it is from. */
export async function* readEarshot(
  file: string,
  { remote }: { remote: Pick<Remote, 'get'> },
): AsyncGenerator<ImportItem> {
  for await (const { line, text } of readLines(file)) yield* caught(line, () => itemsOf(remote, line, parseLine(text)));
}

function parseLine(text: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return rowOf(value);
  } catch {}
  throw new RangeError('This is not a line of an export');
}

function itemsOf(remote: Pick<Remote, 'get'>, line: number, row: Row): Iterable<ImportItem> {
  const parts = {
    line,
    id: textOf(row.id),
    dateCreated: dateOf(row.dateCreated),
    files: filesIn(remote, row.files),
  };
  const kind = textOf(row.row);
  if (kind === 'post') return postOf(parts, row);
  if (kind === 'comment') return commentOf(parts, row);
  if (kind === 'vote') return voteOf(parts, row);
  if (kind === 'commentReaction') return commentReactionOf(parts, row);
  if (kind === 'changelogEntry') return entryOf(parts, row);
  if (kind === 'changelogReaction') return entryReactionOf(parts, row);
  throw new RangeError('This is not a line of an export');
}

/** What all kinds of lines have. */
type Parts = { line: number; id: string; dateCreated: number | null; files: readonly ImportedFile[] };

function* postOf(parts: Parts, row: Row): Generator<ImportItem> {
  const { line, id } = parts;
  const status = rowOf(row.status);
  const tags = itemListOf(row.tags).map(rowOf);
  const { isLocked, ...attributes } = attributesIn(row);
  yield {
    kind: 'post',
    ...parts,
    title: textOf(row.title),
    text: textOf(row.text) || null,
    author: boardUserOf(row.author),
    status: status.type === 'MERGED' ? null : textOf(status.name) || null,
    fields: itemListOf(row.properties)
      .map(rowOf)
      .map(({ label, names, values }) => ({ label: textOf(label), values: itemListOf(names ?? values).map(textOf) })),
    statusProperties: {
      postVisibility: VISIBILITIES.find((known) => known === status.postVisibility),
      isOnRoadmap: typeof status.isOnRoadmap === 'boolean' ? status.isOnRoadmap : undefined,
    },
    tags: tags.map(({ name }) => textOf(name)),
    privateTags: tags.filter(({ isPrivate }) => isPrivate === true).map(({ name }) => textOf(name)),
    attributes,
    moderation: moderationOf(row),
  };
  const count = Number(row.unattributedUpvoteCount ?? 0);
  if (count > 0) yield { kind: 'voteCount', line, postId: id, count };
  const targetId = textOf(row.mergedIntoId);
  if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
  if (isLocked) yield { kind: 'lock', line, postId: id };
}

function attributesIn(row: Row): AttributeChanges {
  const read = mapAttributes(({ name, type }) => (type === 'Boolean' ? row[name] === true : textOf(row[name])));
  return read as AttributeChanges;
}

function* commentOf(parts: Parts, row: Row): Generator<ImportItem> {
  const type = WRITTEN.find((written) => written === row.type);
  const place = { postId: textOf(row.postId), parentId: textOf(row.parentId) || null };
  const written = { text: textOf(row.text), author: boardUserOf(row.user), moderation: moderationOf(row) };
  if (type) yield { kind: 'comment', ...parts, ...place, type, ...written };
}

function* voteOf({ line, dateCreated }: Parts, row: Row): Generator<ImportItem> {
  const voter = boardUserOf(row.user);
  const type = TYPES.find((known) => known === row.type);
  if (voter && type) yield { kind: 'vote', line, postId: textOf(row.postId), voter, type, dateCreated };
}

function* commentReactionOf({ line, dateCreated }: Parts, row: Row): Generator<ImportItem> {
  const person = boardUserOf(row.user);
  const reaction = knownOf(commentReactions, row.reaction);
  const place = { postId: textOf(row.postId), commentId: textOf(row.commentId) };
  if (person) yield { kind: 'commentReaction', line, ...place, reaction, person, dateCreated };
}

function* entryOf(parts: Parts, row: Row): Generator<ImportItem> {
  const given = itemListOf(row.labels);
  yield {
    kind: 'entry',
    ...parts,
    title: textOf(row.title),
    text: textOf(row.text),
    author: boardUserOf(row.author),
    labels: changelogLabels.filter((label) => given.includes(label)),
    postIds: itemListOf(row.postIds)
      .slice(0, MAX_LINKED_POSTS + 1)
      .map(textOf),
    datePublished: dateOf(row.datePublished),
    dateScheduled: dateOf(row.dateScheduled),
  };
}

function* entryReactionOf({ line, dateCreated }: Parts, row: Row): Generator<ImportItem> {
  const person = boardUserOf(row.user);
  const reaction = knownOf(changelogReactions, row.reaction);
  if (person) yield { kind: 'entryReaction', line, entryId: textOf(row.entryId), reaction, person, dateCreated };
}

function knownOf<T extends string>(known: readonly T[], value: unknown): T {
  const found = known.find((one) => one === value);
  if (!found) throw new RangeError(`${textOf(value).slice(0, 50) || 'Nothing'} is not a reaction that Earshot knows`);
  return found;
}

/** What waits for approval here must not become public there, nor what has a state that is not known. */
function moderationOf({ moderationStatus = 'APPROVED' }: Row): ModerationStatus {
  const found = moderationStatuses.find((status) => status === moderationStatus);
  if (!found) throw new RangeError('It is not clear whether this was approved');
  return found;
}

function dateOf(value: unknown): number | null {
  return parseDate(textOf(value));
}

/** Characters of a line: an idea has at most some 30,000. */
const MAX_LINE = 1_048_576;

/** The lines of a text file with their numbers, without empty ones. @throws ImportError */
async function* readLines(file: string): AsyncGenerator<{ line: number; text: string }> {
  let rest = '';
  let line = 0;
  let isEmpty = true;
  for await (const chunk of decode(file)) {
    const texts = `${rest}${chunk}`.split('\n');
    rest = texts.pop() ?? '';
    if (rest.length > MAX_LINE) throw new ImportError(`Line ${line + texts.length + 1} is longer than 1 MB`);
    for (const text of texts) {
      line++;
      if (text.trim() === '') continue;
      isEmpty = false;
      yield { line, text: text.trim() };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest.trim() };
  else if (isEmpty) throw new ImportError('The file is empty');
}
