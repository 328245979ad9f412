import type { Ask } from './asking.ts';
import { BoardError } from './asking.ts';
import { documents } from './documents.ts';

/** Something on a board, as the API returns it. */
export type Item = Record<string, unknown>;
type Named = { id: string; name: string };
type Status = Named & { type: string };

/** Reads a parameter of the node: null if it is left out. */
export type Read = (name: string) => unknown;

/** What operations share while a node runs: statuses and tags are read once. `once` is the idempotency key of an item. */
export type Running = { ask: Ask; statuses(): Promise<Status[]>; tags(): Promise<Named[]> };

type Operation = (running: Running, read: Read, once: string) => Promise<Item[]>;

export function makeRunning(ask: Ask): Running {
  let statuses: Promise<Status[]> | undefined;
  let tags: Promise<Named[]> | undefined;
  return {
    ask,
    async statuses() {
      statuses ??= ask<{ listStatuses: Status[] }>(documents.listStatuses).then(({ listStatuses }) => listStatuses);
      return statuses;
    },
    async tags() {
      tags ??= ask<{ listTags: Named[] }>(documents.listTags).then(({ listTags }) => listTags);
      return tags;
    },
  };
}

/** What the node can do, by `resource.operation`. Each gives the items that the flow continues with. */
export const operations: Readonly<Record<string, Operation>> = {
  'idea.create': createIdea,
  'idea.get': async (running, read) => [await requireIdea(running, read)],
  'idea.getAll': listIdeas,
  'idea.findSimilar': findSimilar,
  'idea.update': updateIdea,
  'idea.changeStatus': changeStatus,
  'idea.changeTags': changeTags,
  'idea.addVote': addVote,
  'comment.create': createComment,
  'user.upsert': upsertUser,
};

async function createIdea(running: Running, read: Read, once: string): Promise<Item[]> {
  const options = optionsOf(read, 'additionalFields');
  const status = textOf(options.status);
  const variables = {
    title: requireText(read, 'title'),
    comment: textOf(read('text')),
    tagIds: options.tags === undefined ? undefined : await tagIdsOf(running, options.tags),
    statusId: status === undefined ? undefined : (await requireStatus(running, status)).id,
    externalId: textOf(options.externalId),
    author: userRefOf(options.author),
  };
  const { createPost } = await running.ask<{ createPost: Item }>(documents.createIdea, variables, once);
  return [createPost];
}

async function listIdeas(running: Running, read: Read): Promise<Item[]> {
  const filters = optionsOf(read, 'filters');
  const statuses = await Promise.all(namesOf(filters.statuses).map((name) => requireStatus(running, name)));
  const where = {
    statusIds: statuses.length > 0 ? statuses.map(({ id }) => id) : undefined,
    tagIds: filters.tags === undefined ? undefined : await tagIdsOf(running, filters.tags),
    createdAfter: instantOf(filters.createdAfter),
    updatedAfter: instantOf(filters.updatedAfter),
    minUpvotes: filters.minUpvotes === undefined ? undefined : Number(filters.minUpvotes),
    externalId: textOf(filters.externalId),
  };
  const search = textOf(filters.search);
  const query = { search, sort: textOf(filters.sort), where };
  return readPages(running.ask, query, read('returnAll') === true ? Number.POSITIVE_INFINITY : Number(read('limit')));
}

async function readPages(ask: Ask, query: Item, wanted: number): Promise<Item[]> {
  const ideas: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null && ideas.length < wanted; ) {
    const limit = Math.max(1, Math.min(MAX_PAGE, wanted - ideas.length));
    const variables = { ...query, limit, cursor };
    const { posts } = await ask<{ posts: { nodes: Item[]; cursor: string | null } }>(documents.listIdeas, variables);
    ideas.push(...posts.nodes);
    cursor = posts.cursor;
  }
  return ideas;
}

const MAX_PAGE = 100;

async function findSimilar({ ask }: Running, read: Read): Promise<Item[]> {
  const variables = { title: requireText(read, 'title'), text: textOf(read('text')), limit: Number(read('limit')) };
  const { similarPosts } = await ask<{ similarPosts: (Item & { post: Item })[] }>(documents.similarIdeas, variables);
  return similarPosts.map(({ post, ...rest }) => ({ ...post, ...rest }));
}

async function updateIdea(running: Running, read: Read, once: string): Promise<Item[]> {
  const { text, ...changes } = optionsOf(read, 'updateFields');
  const variables = { ...changes, comment: textOf(text), id: await ideaIdOf(running, read) };
  type Updated = { updatePost: { node: Item } };
  return [(await running.ask<Updated>(documents.updateIdea, variables, once)).updatePost.node];
}

async function changeStatus(running: Running, read: Read, once: string): Promise<Item[]> {
  const { id, type } = await requireStatus(running, requireText(read, 'status'));
  const variables = {
    postId: await ideaIdOf(running, read),
    statusType: type,
    statusId: type === 'CUSTOM' ? id : undefined,
    comment: textOf(read('message')),
  };
  return [(await running.ask<{ changePostStatus: Item }>(documents.changeStatus, variables, once)).changePostStatus];
}

async function changeTags(running: Running, read: Read, once: string): Promise<Item[]> {
  const idea = await requireIdea(running, read);
  const chosen = await tagIdsOf(running, read('tags'));
  const present = (idea.tags as Named[]).map(({ id }) => id);
  const tagIds = {
    add: [...new Set([...present, ...chosen])],
    remove: present.filter((id) => !chosen.includes(id)),
    replace: chosen,
  }[String(read('tagMode'))];
  type Updated = { updatePost: { node: Item } };
  return [(await running.ask<Updated>(documents.changeTags, { id: idea.id, tagIds }, once)).updatePost.node];
}

async function addVote(running: Running, read: Read, once: string): Promise<Item[]> {
  const variables = { postId: await ideaIdOf(running, read), voter: userRefOf(read('voter')) };
  return [(await running.ask<{ upvotePost: Item }>(documents.addVote, variables, once)).upvotePost];
}

async function createComment(running: Running, read: Read, once: string): Promise<Item[]> {
  const variables = {
    postId: await ideaIdOf(running, read),
    text: requireText(read, 'text'),
    type: textOf(read('type')),
    author: userRefOf(optionsOf(read, 'additionalFields').author),
  };
  return [(await running.ask<{ createComment: Item }>(documents.createComment, variables, once)).createComment];
}

async function upsertUser({ ask }: Running, read: Read, once: string): Promise<Item[]> {
  const { companyId, companyName, ...rest } = optionsOf(read, 'additionalFields');
  const id = textOf(companyId);
  const variables = {
    ssoType: requireText(read, 'ssoType'),
    ssoId: requireText(read, 'ssoId'),
    name: textOf(rest.name),
    email: textOf(rest.email),
    companies: id === undefined ? undefined : [{ id, name: textOf(companyName) }],
    attributes: attributesOf(rest.attributes),
  };
  return [(await ask<{ createUser: Item }>(documents.upsertUser, variables, once)).createUser];
}

/** The idea that the parameter `idea` names by its id, its number or its URL. @throws BoardError if there is none */
async function requireIdea({ ask }: Running, read: Read): Promise<Item> {
  const named = parseIdea(read('idea'));
  const found =
    'number' in named
      ? (await ask<{ postByNumber: Item | null }>(documents.ideaByNumber, named)).postByNumber
      : (await ask<{ post: Item | null }>(documents.ideaById, named)).post;
  if (found) return found;
  const shown = 'number' in named ? `#${named.number}` : `with the ID ${named.id}`;
  throw new BoardError('NOT_FOUND', `There is no idea ${shown} that the user of the key may see`);
}

async function ideaIdOf(running: Running, read: Read): Promise<string> {
  const named = parseIdea(read('idea'));
  return 'id' in named ? named.id : String((await requireIdea(running, read)).id);
}

/** What names an idea: a UUID, a number with or without `#`, or the URL of its page. @throws BoardError for anything else */
export function parseIdea(given: unknown): { id: string } | { number: number } {
  const isLocator = typeof given === 'object' && given !== null && 'value' in given;
  const text = String((isLocator ? given.value : given) ?? '').trim();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return { id: text };
  const [, number] = /^#?(\d{1,9})$/.exec(text) ?? /\/posts\/(\d{1,9})(?:[/?#]|$)/.exec(text) ?? [];
  if (number !== undefined) return { number: Number(number) };
  const help = 'Give the ID of an idea, its number such as 12, or the URL of its page.';
  throw new BoardError('BAD_REQUEST', text === '' ? 'No idea is chosen' : `No idea is named “${text}”`, { help });
}

async function requireStatus({ statuses }: Running, named: string): Promise<Status> {
  const all = await statuses();
  const found = find(all, named) ?? all.find(({ type }) => type === named && type !== 'CUSTOM');
  if (found) return found;
  throw missing('status', named, all);
}

async function tagIdsOf({ tags }: Running, given: unknown): Promise<string[]> {
  const names = namesOf(given);
  if (names.length === 0) return [];
  const all = await tags();
  return names.map((name) => {
    const found = find(all, name);
    if (found) return found.id;
    throw missing('tag', name, all);
  });
}

/** By id or name, whatever the case. */
function find<T extends Named>(all: readonly T[], named: string): T | undefined {
  const name = named.toLowerCase();
  return all.find(({ id }) => id === named) ?? all.find((each) => each.name.toLowerCase() === name);
}

function missing(kind: string, named: string, all: readonly Named[]): BoardError {
  const known = all.map(({ name }) => name).join(', ');
  return new BoardError('NOT_FOUND', `There is no ${kind} “${named}” on the board`, {
    help: known === '' ? `The board has no ${kind} yet.` : `The board has: ${known}.`,
  });
}

function optionsOf(read: Read, name: string): Item {
  return (read(name) ?? {}) as Item;
}

/** A text, or undefined if it is empty: fields that were added but not filled in are left out. */
function textOf(given: unknown): string | undefined {
  const text = given === undefined || given === null ? '' : String(given);
  return text.trim() === '' ? undefined : text;
}

function requireText(read: Read, name: string): string {
  const text = textOf(read(name));
  if (text === undefined) throw new BoardError('BAD_REQUEST', `The field “${name}” is empty`, { field: name });
  return text;
}

/** Several names: a list, or a text with commas, as expressions give it. */
function namesOf(given: unknown): string[] {
  const list = Array.isArray(given) ? given : String(given ?? '').split(',');
  return list.map((name) => String(name).trim()).filter((name) => name !== '');
}

/** A user by an email address, an id on the board, or `SSO:42`, the id in one's own system. */
export function userRefOf(given: unknown): Item | undefined {
  const text = textOf(given)?.trim();
  if (text === undefined) return undefined;
  if (text.includes('@') && !/^[A-Z][A-Z0-9_]*:/i.test(text)) return { email: text };
  const [, ssotype, userId] = /^([A-Za-z][\w-]*):(.+)$/.exec(text) ?? [];
  return ssotype === undefined ? { id: text } : { ssotype, userId };
}

function instantOf(given: unknown): string | undefined {
  const text = textOf(given);
  if (text === undefined) return undefined;
  const date = new Date(text);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  throw new BoardError('BAD_REQUEST', `“${text}” is not a date`);
}

function attributesOf(given: unknown): unknown {
  if (typeof given !== 'string') return given;
  if (given.trim() === '') return undefined;
  const parsed = parseJson(given);
  if (parsed === undefined) {
    throw new BoardError('BAD_REQUEST', 'The attributes are not valid JSON', { field: 'attributes' });
  }
  return parsed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
