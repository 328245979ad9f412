import { GraphQLError } from 'graphql';
import type { UserRef } from '../../identity/users/users.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { isId } from '../../platform/lib/ids.ts';
import { findableText } from '../../platform/texts/text.ts';
import { ask, type Caller } from './caller.ts';

/** Names that an error lists. */
const MAX_LISTED = 50;

type Named = { id: string; name: string };
type Status = Named & { type: string };

/** A status of the board by its name, its built-in type or its id. @throws BAD_REQUEST listing the names */
export async function findStatus(caller: Caller, name: string): Promise<Status> {
  const { listStatuses } = await ask<{ listStatuses: Status[] }>(caller, '{ listStatuses { id name type } }');
  const builtIn = listStatuses
    .filter(({ type }) => type !== 'CUSTOM')
    .map((status) => ({ ...status, name: status.type }));
  return pick([...listStatuses, ...builtIn], name, 'status');
}

/** Ids of tags by their names or ids. @throws BAD_REQUEST listing the names */
export async function findTagIds(caller: Caller, names: readonly string[] | undefined): Promise<string[] | undefined> {
  if (!names) return undefined;
  const { listTags } = await ask<{ listTags: Named[] }>(caller, '{ listTags { id name } }');
  return names.map((name) => pick(listTags, name, 'tag').id);
}

/** Values of fields, by their labels or ids, as mutations take them. */
export async function findProperties(caller: Caller, values: Readonly<Record<string, string | string[]>> | undefined) {
  if (!values) return undefined;
  const { listFields } = await ask<{ listFields: Named[] }>(caller, '{ listFields { id name: label } }');
  return Object.entries(values).map(([label, value]) => ({
    parent: pick(listFields, label, 'field').id,
    values: [value].flat(),
  }));
}

/**
 * A user by email address, external id, id or name. People choose their names: one that is also the external id of
 * someone else stands for neither.
 * @throws BAD_REQUEST when it may be several users, NOT_FOUND
 */
export async function findUserRef(caller: Caller, text: string | undefined): Promise<UserRef | undefined> {
  if (text === undefined) return undefined;
  if (text.includes('@')) return { email: text };
  const known = await findByExternalId(caller, text);
  if (isId(text)) return known ?? { id: text };
  const query = 'query($search: String) { users(search: $search, limit: 100) { id name } }';
  const { users } = await ask<{ users: { id: string; name: string | null }[] }>(caller, query, { search: text });
  const wanted = fold(text);
  const named = users.filter(({ name }) => name?.toLowerCase() === wanted).map(({ id }) => id);
  const [first, second] = new Set(known ? [known.id, ...named] : named);
  if (second) throw badRequest(`Several users are called "${text}": give the id from find_users, or an email address`);
  if (first) return { id: first };
  throw notFound('User');
}

async function findByExternalId(caller: Caller, id: string): Promise<{ id: string } | null> {
  const query = 'query($id: String!) { user(ssoId: $id) { id } }';
  try {
    return (await ask<{ user: { id: string } }>(caller, query, { id })).user;
  } catch (error) {
    if (error instanceof GraphQLError && error.extensions.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** The id of a post by its number or id. @throws NOT_FOUND */
export async function findPostId(caller: Caller, ref: string | number): Promise<string> {
  if (typeof ref === 'string' && isId(ref)) return ref;
  const query = 'query($number: Int!) { postByNumber(number: $number) { id } }';
  const number = numberOf(ref);
  if (number === null) throw notFound('Post');
  const { postByNumber } = await ask<{ postByNumber: { id: string } | null }>(caller, query, { number });
  if (!postByNumber) throw notFound('Post');
  return postByNumber.id;
}

/** The id of a changelog entry by its number or id. @throws NOT_FOUND */
export async function findEntryId(caller: Caller, ref: string | number): Promise<string> {
  if (typeof ref === 'string' && isId(ref)) return ref;
  const query = 'query($number: Int) { changelogEntry(number: $number) { id } }';
  const number = numberOf(ref);
  if (number === null) throw notFound('Changelog entry');
  const { changelogEntry } = await ask<{ changelogEntry: { id: string } | null }>(caller, query, { number });
  if (!changelogEntry) throw notFound('Changelog entry');
  return changelogEntry.id;
}

/** `12` or `#12`; null for anything else. */
function numberOf(ref: string | number): number | null {
  const digits = /^#?(\d{1,9})$/.exec(String(ref))?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Names on a board differ by more than case. */
function pick<T extends Named>(all: readonly T[], name: string, what: string): T {
  const wanted = fold(name);
  const found = all.find((each) => each.id === name || each.name.toLowerCase() === wanted);
  if (found) return found;
  const names = all.slice(0, MAX_LISTED).map((each) => each.name);
  throw badRequest(`There is no ${what} "${name}". There are: ${names.join(', ') || 'none'}`, what);
}

/** A name as it is compared, in upper or lower case; null for what cannot be one. */
function fold(name: string): string | null {
  return findableText(name)?.toLowerCase() ?? null;
}
