import { type Clock, SECOND_MS } from '../../platform/lib/clock.ts';

/** How long users are still shown after they have left: a page that loads itself again was never closed. */
const LINGER_MS = 4 * SECOND_MS;

/** A user who has an idea open, or had it a moment ago. */
export type Opener = { readonly id: string; readonly name: string };
type Open = Opener & { pages: number; leftAt: number };

/** Which members of the team have which ideas open, on pages of this process. */
export class Presence {
  readonly #clock: Clock;
  /** By the key of the idea, and the id of the user. */
  readonly #ideas = new Map<string, Map<string, Open>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns a function that ends it */
  enter(idea: string, { id, name }: Opener): () => void {
    const users = this.#ideas.get(idea) ?? new Map<string, Open>();
    this.#ideas.set(idea, users);
    const user = users.get(id) ?? { id, name, pages: 0, leftAt: 0 };
    users.set(id, user);
    user.pages += 1;
    return () => {
      user.pages -= 1;
      user.leftAt = this.#clock.now();
    };
  }

  /** Who has an idea open, in the order in which they came. */
  of(idea: string): readonly Opener[] {
    return [...(this.#ideas.get(idea)?.values() ?? [])];
  }

  /** Forgets who has left. */
  sweep(): void {
    const before = this.#clock.now() - LINGER_MS;
    for (const [idea, users] of this.#ideas) {
      for (const { id, pages, leftAt } of users.values()) if (pages === 0 && leftAt <= before) users.delete(id);
      if (users.size === 0) this.#ideas.delete(idea);
    }
  }
}
