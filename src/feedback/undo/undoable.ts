import type { State } from '../../identity/activity/activity.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import type { Tx } from '../../platform/db/db.ts';

/** How things of one kind are read and changed back. `Name`: the properties of one that operations change. */
export type Undoable<Name extends string = string> = {
  /** What errors call each property. */
  words: Readonly<Record<Name, string>>;
  /**
   * Properties of a thing as they are now; null if it no longer exists. What the actor may not see is read as well.
   * @param names those that are asked for; others may be missing
   */
  read(tx: Tx, context: ActorContext, id: string, names: readonly string[]): Promise<State | null>;
  /**
   * Gives properties of a thing earlier values, by the functions that change them for everyone: they check rights, and
   * emit events.
   */
  write(context: ActorContext, id: string, state: State): Promise<unknown>;
};
