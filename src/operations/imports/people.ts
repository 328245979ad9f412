import { LRUCache } from 'lru-cache';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { createUser, findUser, findUserByEmail, type SsoIdentity, type UserRow } from '../../identity/users/users.ts';
import { fitLine } from '../../platform/texts/text.ts';
import type { ImportedPerson, SourceName } from './items.ts';

/** Characters of a name, as profiles have at most. */
const MAX_NAME = 100;
const MAX_SSO_ID = 255;
/** People whose ids are remembered: voters come back. */
const MAX_REMEMBERED = 10_000;

/** The users that imported people are on the board. Those whom a transaction creates are remembered once it is committed. */
export class People {
  readonly #source: SourceName;
  readonly #known = new LRUCache<string, string>({ max: MAX_REMEMBERED });
  /** Users whom plans have created and taken back. */
  readonly #planned = new Set<string>();
  /** People of whom only an address or an id has been read so far. */
  readonly #nameless = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  /** People whom this transaction has given the name of a later row. */
  #named = new Set<string>();
  #met = new Map<string, string>();
  #created = new Set<string>();
  #kept = 0;

  constructor(source: SourceName) {
    this.#source = source;
  }

  /** How many users were created, or would be. */
  get created(): number {
    return this.#kept + this.#planned.size;
  }

  /** Begins a transaction, again if it was rolled back. */
  begin(): void {
    this.#met = new Map();
    this.#created = new Set();
    this.#named = new Set();
  }

  /** Ends what `begin` began; a plan keeps nothing. */
  end({ isKept }: { isKept: boolean }): void {
    if (isKept) {
      for (const [person, id] of this.#met) this.#known.set(person, id);
      for (const person of this.#named) this.#nameless.delete(person);
      this.#kept += this.#created.size;
    } else for (const person of this.#created) this.#planned.add(person);
  }

  /**
   * The user who is this person: who came with an earlier row or import, or has the address, or is created. Who came
   * without a name gets that of this row.
   * @returns the id
   */
  async find(context: ActorContext, person: ImportedPerson): Promise<string> {
    const ssoId = (person.id ?? person.email ?? `name:${person.name}`).slice(0, MAX_SSO_ID).toWellFormed();
    const identity = { ssoType: person.ssoType ?? this.#source.toUpperCase(), ssoId };
    const key = JSON.stringify([identity.ssoType, ssoId]);
    const known = this.#met.get(key) ?? this.#known.get(key);
    const isToName = this.#nameless.has(key) && !this.#named.has(key) && nameOf(person) !== null;
    if (known !== undefined && !isToName) return known;
    const found = await findPerson(context, identity, person);
    const user = found ? await nameImported(context, found, identity.ssoType, person) : null;
    const { id, name } = user ?? (await createPerson(context, identity, person));
    if (!found) this.#created.add(key);
    if (name === null) this.#nameless.set(key, true);
    else this.#named.add(key);
    this.#met.set(key, id);
    return id;
  }
}

async function findPerson({ db, board }: ActorContext, identity: SsoIdentity, { email }: ImportedPerson) {
  const known = await findUser(db.read, board.id, identity);
  return known ?? (email === undefined ? null : await findUserByEmail(db.read, board.id, email));
}

/** Gives a user of the same source the name of a person, unless there is one already. */
async function nameImported(context: ActorContext, user: UserRow, ssoType: string, person: ImportedPerson) {
  const name = nameOf(person);
  if (user.name !== null || name === null || user.sso_type !== ssoType || user.sso_id === null) return user;
  return createUser(context, { ssoType, ssoId: user.sso_id }, { name });
}

function createPerson(context: ActorContext, identity: SsoIdentity, person: ImportedPerson) {
  return createUser(context, identity, { name: nameOf(person), email: person.email ?? null });
}

function nameOf({ name = '' }: ImportedPerson): string | null {
  return fitLine(name, MAX_NAME) || null;
}
