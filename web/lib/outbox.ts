/** What keeps it, once it is loaded (`outbox-list.ts`): the first view of a page does not need it. */
export const outbox: { box: typeof import('./outbox-list.ts') | null } = { box: null };
