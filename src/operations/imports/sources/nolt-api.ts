import { printable } from '../../../platform/texts/text.ts';
import { parseDate } from '../dates.ts';
import { ImportError, type ImportedValues, type ImportItem } from '../items.ts';
import { type Remote, readPages } from '../remote.ts';
import { filesIn } from './board-files.ts';
import { boardUserOf } from './board-user.ts';
import { caught } from './bounds.ts';
import { itemListOf, listOf, type Row, rowOf, textOf } from './rows.ts';

/** What is read of a board: its GraphQL API, by a key, and as whom. */
type NoltSource = { remote: Remote; url: string; apiKey: string; reader: Reader | null };
/** A user of the other board, as its API identifies the acting user. */
export type Reader = { ssoType: string; ssoId: string };

const PERSON = '{ id ssoType ssoId name email }';
const FILES = 'files { name url }';
/** Pages are smaller where texts are long: requests have a maximum cost. */
const LISTS = {
  posts: `query ($cursor: String) { posts(cursor: $cursor, limit: 50, sort: OLDEST) { cursor hasMore nodes {
    id title content dateCreated status { name type } tags { name } author ${PERSON} mergedInto { id } ${FILES}
    properties { values field { label options { id name } } } } } }`,
  comments: `query ($cursor: String) { comments(cursor: $cursor, limit: 50, types: [BASIC, INTERNAL, OFFICIAL]) {
    cursor hasMore nodes { id text type dateCreated isFirst parent { id } post { id } user ${PERSON} ${FILES} } } }`,
  votes: `query ($cursor: String) { votes(cursor: $cursor, limit: 100) { cursor hasMore nodes {
    type dateCreated post { id } user ${PERSON} } } }`,
};

/** A board with the GraphQL API of Nolt, which is that of Earshot as well: what its reader may see. */
export async function* readNoltApi(source: NoltSource): AsyncGenerator<ImportItem> {
  const { remote } = source;
  for await (const [line, post] of listAll(source, 'posts')) yield* caught(line, () => itemsOf(remote, post, line));
  for await (const [line, comment] of listAll(source, 'comments')) {
    // The first comment is the description.
    if (comment.isFirst !== true) yield* caught(line, () => [commentOf(remote, comment, line)]);
  }
  for await (const [line, vote] of listAll(source, 'votes')) yield* caught(line, () => votesOf(vote, line));
}

/** The items of a list with their numbers, oldest first. */
async function* listAll(source: NoltSource, name: keyof typeof LISTS): AsyncGenerator<[line: number, row: Row]> {
  let line = 0;
  const rows = readPages<string>(async (cursor) => {
    const page = rowOf((await ask(source, LISTS[name], { cursor }))[name]);
    return { items: listOf(page.nodes), next: page.hasMore === true ? textOf(page.cursor) || null : null };
  });
  for await (const row of rows) yield [++line, rowOf(row)];
}

async function ask({ remote, url, apiKey, reader }: NoltSource, query: string, variables: object): Promise<Row> {
  const headers = { apikey: apiKey, ...(reader && { ssotype: reader.ssoType, ssoid: reader.ssoId }) };
  const { status, body } = await remote.post(url, { query, variables }, headers);
  const { data, errors } = rowOf(body);
  const [error] = listOf(errors);
  if (error === undefined && status < 400) return rowOf(data);
  const words = printable(textOf(rowOf(error).message) || `status ${status}`, 300);
  const hint = reader ? 'Check NOLT_API_KEY and --as' : 'Check NOLT_API_KEY, and name a user with --as';
  throw new ImportError(`The board refused to be read: ${words}. ${hint}`);
}

function* itemsOf(remote: Remote, post: Row, line: number): Generator<ImportItem> {
  const id = textOf(post.id);
  const status = rowOf(post.status);
  yield {
    kind: 'post',
    line,
    id,
    title: textOf(post.title),
    text: textOf(post.content) || null,
    author: boardUserOf(post.author),
    dateCreated: parseDate(textOf(post.dateCreated)),
    status: status.type === 'MERGED' ? null : textOf(status.name) || null,
    tags: itemListOf(post.tags).map((tag) => textOf(rowOf(tag).name)),
    fields: itemListOf(post.properties).map(valuesOf),
    files: filesIn(remote, post.files),
  };
  const targetId = textOf(rowOf(post.mergedInto).id);
  if (targetId !== '') yield { kind: 'merge', line, postId: id, targetId };
}

/** The values of a field; options, which the API has by their ids, by their names. */
function valuesOf(property: unknown): ImportedValues {
  const { values, field } = rowOf(property);
  const { label, options } = rowOf(field);
  const names = new Map(itemListOf(options).map((option) => [rowOf(option).id, textOf(rowOf(option).name)]));
  return { label: textOf(label), values: itemListOf(values).map((value) => names.get(value) ?? textOf(value)) };
}

function commentOf(remote: Remote, comment: Row, line: number): ImportItem {
  const type = (['INTERNAL', 'OFFICIAL'] as const).find((known) => known === comment.type) ?? 'BASIC';
  return {
    kind: 'comment',
    line,
    id: textOf(comment.id),
    postId: textOf(rowOf(comment.post).id),
    type,
    parentId: textOf(rowOf(comment.parent).id) || null,
    text: textOf(comment.text),
    author: boardUserOf(comment.user),
    dateCreated: parseDate(textOf(comment.dateCreated)),
    files: filesIn(remote, comment.files),
  };
}

function votesOf(vote: Row, line: number): ImportItem[] {
  const voter = boardUserOf(vote.user);
  if (!voter || vote.type !== 'UP') return [];
  const dateCreated = parseDate(textOf(vote.dateCreated));
  return [{ kind: 'vote', line, postId: textOf(rowOf(vote.post).id), voter, dateCreated }];
}
