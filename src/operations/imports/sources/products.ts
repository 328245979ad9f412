import type { TableSource } from '../items.ts';
import { fromJira } from '../markdown.ts';
import { keyOf } from './columns.ts';
import type { Meaning } from './meanings.ts';

/** What is peculiar to the tables of a product; the rest is recognized as in any table. */
export type Product = {
  source: TableSource;
  /** The columns that it is recognized by. */
  has: readonly string[];
  /** Columns that are not what their headers say elsewhere; null for those that are not used. */
  meanings: Readonly<Record<string, Meaning | null>>;
  /** Its texts as Markdown. */
  toMarkdown?: (text: string) => string;
  /** A tag without what is not of its name. */
  tagOf?: (name: string) => string;
  /** When an idea was created, by its id. */
  dateOf?: (id: string) => number | null;
};

/**
 * The products whose tables are recognized, each by headers that were seen in its own source, in its docs or in files that
 * it had written: `src/operations/imports/products.test.ts` has one of each, with its origin.
 */
const products: readonly Product[] = [
  {
    source: 'jira',
    has: ['summary', 'issue key', 'issue type'],
    meanings: { reporter: 'author', creator: null },
    toMarkdown: fromJira,
  },
  { source: 'linear', has: ['team', 'title', 'estimate', 'priority', 'creator'], meanings: { team: null } },
  {
    source: 'trello',
    has: ['card id', 'card name', 'list name'],
    meanings: { 'due date': null },
    // “Design (green)”: its name and its color.
    tagOf: (name) => name.replace(/ \([a-z_]{1,20}\)$/, '') || name,
    dateOf: cardDate,
  },
  {
    source: 'gitlab',
    has: ['title', 'author username', 'confidential', 'time estimate'],
    meanings: { iid: 'id', 'issue id': 'id', id: null, 'created at utc': 'created' },
  },
  { source: 'github', has: ['number', 'title', 'state', 'labels'], meanings: {} },
  { source: 'featurebase', has: ['title', 'content', 'upvotes', 'upvoter emails'], meanings: {} },
  { source: 'productboard', has: ['feature name', 'feature description'], meanings: { 'owner email': null } },
  { source: 'canny', has: ['title', 'details', 'board', 'votes'], meanings: {} },
  { source: 'quackback', has: ['title', 'content', 'board', 'vote count'], meanings: { 'source id': 'id' } },
  { source: 'logchimp', has: ['post id', 'slug id', 'content markdown'], meanings: {} },
  { source: 'astuto', has: ['title', 'board id', 'user id', 'post status id'], meanings: {} },
  {
    source: 'clearflask',
    has: ['idea id', 'author user id', 'status id'],
    meanings: { 'votes count': null, 'vote value': 'votes' },
  },
  { source: 'notion', has: ['name', 'created time', 'last edited time'], meanings: {} },
  { source: 'plane', has: ['project identifier', 'sequence id', 'state name'], meanings: { subscribers: null } },
  {
    source: 'uservoice',
    has: ['suggestion id', 'suggestion title', 'suggestion body'],
    meanings: {
      'suggestion id': 'id',
      'suggestion title': 'title',
      'suggestion body': 'text',
      'suggestion status name': 'status',
      'suggestion labels name': 'tags',
      'suggestion category name': 'tags',
      'suggestion created timestamp': 'created',
    },
  },
];

/** Tables of comments and votes, which are imported after the ideas. */
const parts: readonly Pick<Product, 'source' | 'has'>[] = [
  { source: 'quackback', has: ['post id', 'is team member', 'moderation state'] },
  { source: 'quackback', has: ['post id', 'voter email', 'source type'] },
  { source: 'clearflask', has: ['idea id', 'comment id', 'parent comment id'] },
  { source: 'logchimp', has: ['vote id', 'user id', 'post id'] },
  { source: 'astuto', has: ['body', 'user id', 'post id', 'is post update'] },
  { source: 'astuto', has: ['user id', 'post id', 'tenant id'] },
];

/**
 * When a card of Trello was created: its id begins with the second, as that of each object there. Source:
 * https://support.atlassian.com/trello/docs/getting-the-time-a-card-or-board-was-created/
 */
export function cardDate(id: string): number | null {
  return /^[0-9a-f]{24}$/.test(id) ? Number.parseInt(id.slice(0, 8), 16) * 1_000 : null;
}

/** The product that a table with this header is from; null if none is recognized. */
export function productOf(header: readonly string[]): Product | null {
  const keys = new Set(header.map(keyOf));
  const found = [...products, ...parts].find(({ has }) => has.every((name) => keys.has(name)));
  return found ? { meanings: {}, ...found } : null;
}

/** What is peculiar to the tables of a source. */
export function productNamed(source: TableSource): Product | null {
  return products.find((product) => product.source === source) ?? null;
}
