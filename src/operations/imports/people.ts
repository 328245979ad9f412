import { LRUCache } from 'lru-cache';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { createUser, findUser, findUserByEmail, type SsoIdentity } from '../../identity/users/users.ts';
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
  }

  /** Ends what `begin` began; a plan keeps nothing. */
  end({ isKept }: { isKept: boolean }): void {
    if (isKept) {
      for (const [person, id] of this.#met) this.#known.set(person, id);
      this.#kept += this.#created.size;
    } else for (const person of this.#created) this.#planned.add(person);
  }

  /** The user who is this person: who came with an earlier import, or has the address, or is created. @returns the id */
  async find(context: ActorContext, person: ImportedPerson): Promise<string> {
    const ssoId = (person.id ?? person.email ?? `name:${person.name}`).slice(0, MAX_SSO_ID).toWellFormed();
    const identity = { ssoType: person.ssoType ?? this.#source.toUpperCase(), ssoId };
    const key = JSON.stringify([identity.ssoType, ssoId]);
    const known = this.#met.get(key) ?? this.#known.get(key);
    if (known !== undefined) return known;
    const found = await findPerson(context, identity, person);
    const { id } = found ?? (await createPerson(context, identity, person));
    if (!found) this.#created.add(key);
    this.#met.set(key, id);
    return id;
  }
}

async function findPerson({ db, board }: ActorContext, identity: SsoIdentity, { email }: ImportedPerson) {
  const known = await findUser(db.read, board.id, identity);
  return known ?? (email === undefined ? null : await findUserByEmail(db.read, board.id, email));
}

function createPerson(context: ActorContext, identity: SsoIdentity, { name = '', email }: ImportedPerson) {
  return createUser(context, identity, { name: fitLine(name, MAX_NAME) || null, email: email ?? null });
}
