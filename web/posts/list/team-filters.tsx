import { lazy } from 'react';

const load = () => import('../team/filters.tsx');

/** What only the team filters ideas by, which other visitors do not load. The server renders without waiting. */
export const TeamFilters = import.meta.env.SSR
  ? (await load()).TeamFilters
  : lazy(async () => ({ default: (await load()).TeamFilters }));
