/**
 * A document for both executors. `<name>` in the text or the variables stands for the id of the row of that name on
 * the board of the tests.
 */
export type Sample = {
  query: string;
  variables?: Record<string, unknown>;
  operationName?: string;
  /** External id of the acting user, `ada` unless given; null for none. */
  as?: string | null;
  /** Runs on the board whose rows have values that no feature writes. */
  onBroken?: true;
};

/** Documents that need nothing but their text. */
export function plain(...queries: string[]): Sample[] {
  return queries.map((query) => ({ query }));
}

/** One document with several sets of variables. */
export function withEach(query: string, ...sets: Record<string, unknown>[]): Sample[] {
  return sets.map((variables) => ({ query, variables }));
}
