import { LRUCache } from 'lru-cache';
import { type Actor, may } from '../../identity/users/authority.ts';
import { findUsers } from '../../identity/users/users.ts';
import type { Reader } from '../../platform/db/db.ts';
import type { ExportedPerson } from './entries.ts';

/** Number of cached users: most rows are by users who have others. */
const MAX_KNOWN = 10_000;
const COLUMNS = ['id', 'sso_type', 'sso_id', 'name', 'email'] as const;

/** The users in an export, each read once while cached, as the viewer may see them. */
export class People {
  readonly #reader: Reader;
  readonly #boardId: string;
  readonly #viewer: Actor | null;
  readonly #known = new LRUCache<string, ExportedPerson>({ max: MAX_KNOWN });

  constructor(reader: Reader, boardId: string, viewer: Actor | null) {
    this.#reader = reader;
    this.#boardId = boardId;
    this.#viewer = viewer;
  }

  /** The people with these ids; null stands for an erased user. */
  async find(ids: readonly (string | null)[]): Promise<ReadonlyMap<string | null, ExportedPerson>> {
    const wanted = [...new Set(ids.filter((id) => id !== null))];
    const found = new Map<string | null, ExportedPerson>();
    for (const id of wanted) {
      const person = this.#known.get(id);
      if (person) found.set(id, person);
    }
    const unknown = wanted.filter((id) => !found.has(id));
    const rows = unknown.length === 0 ? [] : await findUsers(this.#reader, this.#boardId, unknown, COLUMNS);
    for (const { id, sso_type, sso_id, name, email } of rows) {
      const seesEmail = may(this.#viewer, 'user.email', id);
      const person = { id, sso_type, sso_id, name, email: seesEmail ? email : null };
      this.#known.set(id, person);
      found.set(id, person);
    }
    return found;
  }
}
