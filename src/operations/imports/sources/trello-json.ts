import { parseDate } from '../dates.ts';
import { ImportError, type ImportedVote, type ImportItem } from '../items.ts';
import { statusOf } from '../labels.ts';
import { personOf } from '../values.ts';
import { caught } from './bounds.ts';
import { readJsonFile } from './json.ts';
import { cardDate } from './products.ts';
import { itemListOf, listOf, type Row, rowOf, textOf } from './rows.ts';

/**
 * A board of Trello, as *Print, export, and share → Export as JSON* writes it: its cards, with the latest 1,000 actions, among
 * which are comments (https://support.atlassian.com/trello/docs/exporting-data-from-trello/).
 */
export async function* readTrelloJson(file: string, maxBytes?: number): AsyncGenerator<ImportItem> {
  const board = rowOf(await readJsonFile(file, maxBytes));
  const lists = new Map(
    listOf(board.lists)
      .map(rowOf)
      .map(({ id, name }) => [id, textOf(name)]),
  );
  const members = new Map(listOf(board.members).map((member) => [rowOf(member).id, rowOf(member)]));
  const actions = listOf(board.actions).map(rowOf);
  const makers = new Map(actions.filter(({ type }) => type === 'createCard').map((action) => [cardOf(action), action]));
  if (!Array.isArray(board.cards))
    throw new ImportError('The file has no list of cards: export the whole board as JSON');
  const cards = board.cards.map(rowOf);
  for (const [at, card] of cards.entries()) {
    const id = textOf(card.id);
    yield* caught(at + 1, () => [
      {
        kind: 'post',
        line: at + 1,
        id,
        title: textOf(card.name),
        text: textOf(card.desc) || null,
        author: memberOf(makers.get(id)),
        dateCreated: cardDate(id),
        status: statusOf(lists.get(card.idList) ?? null, card.closed === true),
        tags: itemListOf(card.labels).flatMap((label) => textOf(rowOf(label).name) || []),
      },
    ]);
    yield* caught(at + 1, () => votesOf(card, id, members).map((vote) => ({ ...vote, line: at + 1 })));
    if (votesOn(card) > 0) yield { kind: 'voteCount', line: at + 1, postId: id, count: votesOn(card), isTotal: true };
  }
  // The newest comes first.
  for (const action of actions.filter(({ type }) => type === 'commentCard').reverse())
    yield* caught(1, () => [commentOf(action)]);
}

/** Votes of members whom the file names; the others are in the number of votes. */
function votesOf(card: Row, postId: string, members: ReadonlyMap<unknown, Row>): Omit<ImportedVote, 'line'>[] {
  return itemListOf(card.idMembersVoted).flatMap((id) => {
    const voter = personFrom(members.get(id));
    return voter ? { kind: 'vote', postId, voter, dateCreated: null } : [];
  });
}

function commentOf(action: Row): ImportItem {
  return {
    kind: 'comment',
    line: 1,
    id: textOf(action.id),
    postId: cardOf(action),
    parentId: null,
    type: 'BASIC',
    text: textOf(rowOf(action.data).text),
    author: memberOf(action),
    dateCreated: parseDate(textOf(action.date)),
  };
}

const votesOn = ({ badges }: Row): number => Number(rowOf(badges).votes) || 0;
const cardOf = ({ data }: Row): string => textOf(rowOf(rowOf(data).card).id);

function memberOf(action: Row | undefined) {
  return personFrom(action?.memberCreator);
}

function personFrom(member: unknown) {
  const { id, fullName, username } = rowOf(member);
  return personOf({ id: textOf(id), name: textOf(fullName) || textOf(username) });
}
