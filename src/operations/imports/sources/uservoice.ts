import { parseDate } from '../dates.ts';
import type { ImportItem } from '../items.ts';
import { readHeader, readTable } from '../table.ts';
import { parseNames, personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { byName, keyOf, type NamedRow } from './columns.ts';

type IdeaColumn =
  | 'Idea Id'
  | 'Idea Title'
  | 'Idea Description'
  | 'Idea Creator Email Address'
  | 'Idea Creator Name'
  | 'Public Status Name'
  | 'Moderation State'
  | 'Labels'
  | 'Created Timestamp'
  | 'Public Status Update Message'
  | 'User Email Address'
  | 'User Name'
  | 'Linked Idea Creation Date';
type CommentColumn = 'Suggestion Id' | 'Text' | 'User Email' | 'User Name' | 'Created At' | 'Id';

/** Whether a header is that of an export of UserVoice: of ideas, or of comments. */
export function isUserVoice(header: readonly string[]): boolean {
  const keys = new Set(header.map(keyOf));
  return (keys.has('idea id') && keys.has('idea title')) || isOfComments(header);
}

function isOfComments(header: readonly string[]): boolean {
  const keys = new Set(header.map(keyOf));
  return keys.has('suggestion id') && keys.has('text');
}

/** An export of UserVoice: of ideas, with a row for each voter, or of the comments on them, which is imported after it. */
export async function* readUserVoice(file: string): AsyncGenerator<ImportItem> {
  const header = await readHeader(file);
  if (isOfComments(header)) {
    const rows = byName<CommentColumn>(readTable(file), ['Suggestion Id', 'Text']);
    for await (const row of rows) yield* caught(row.line, () => [commentOf(row)]);
    return;
  }
  let last = '';
  for await (const row of byName<IdeaColumn>(readTable(file), ['Idea Id', 'Idea Title'])) {
    yield* caught(row.line, () => {
      const id = row.get('Idea Id').trim();
      const isRepeated = id === last;
      last = id;
      return itemsOf(row, id, isRepeated);
    });
  }
}

function* itemsOf({ line, get }: NamedRow<IdeaColumn>, id: string, isRepeated: boolean): Generator<ImportItem> {
  if (!isRepeated) {
    yield {
      kind: 'post',
      line,
      id,
      title: get('Idea Title'),
      text: get('Idea Description') || null,
      author: personOf({ email: get('Idea Creator Email Address'), name: get('Idea Creator Name') }),
      dateCreated: parseDate(get('Created Timestamp')),
      status: get('Public Status Name').trim() || null,
      tags: parseNames(get('Labels')),
    };
    const text = get('Public Status Update Message');
    const answer = { id: `update ${id}`, postId: id, parentId: null, author: null, dateCreated: null, text };
    if (text.trim() !== '') yield { kind: 'comment', line, type: 'OFFICIAL', ...answer };
  }
  const voter = personOf({ email: get('User Email Address'), name: get('User Name') });
  const dateCreated = parseDate(get('Linked Idea Creation Date'));
  if (voter) yield { kind: 'vote', line, postId: id, voter, dateCreated };
}

function commentOf({ line, get }: NamedRow<CommentColumn>): ImportItem {
  const postId = get('Suggestion Id').trim();
  return {
    kind: 'comment',
    line,
    postId,
    parentId: null,
    type: 'BASIC',
    // Older exports have no ids of comments.
    id: get('Id').trim() || `${postId} ${get('Created At')} ${get('User Email')} ${get('Text')}`,
    text: get('Text'),
    author: personOf({ email: get('User Email'), name: get('User Name') }),
    dateCreated: parseDate(get('Created At')),
  };
}
