/** A request of docs/reference.md, and one like it that fails. Texts such as `<post>` stand for ids of `fixture.ts`. */
export type Example = {
  query: string;
  variables?: Record<string, unknown>;
  /** A request that is refused: other variables, or another user (`grace` has the role MEMBER). */
  refused?: { variables?: Record<string, unknown>; as?: string };
};

/** An id that nothing has. */
export const unknown = '01980000-0000-7000-8000-ffffffffffff';

export const byMember = { as: 'grace' };
