import { lazy } from 'react';

const load = () => import('../team/filters.tsx');
/** The server renders without waiting, so it has them from the start. */
const parts = import.meta.env.SSR ? await load() : null;

/** What only the team filters ideas by, which other visitors do not load. */
export const TeamFilters = parts?.TeamFilters ?? lazy(async () => ({ default: (await load()).TeamFilters }));
