import { createContext } from 'react-router';
import type { Way } from '../../src/accounts/rules.ts';
import type { Visit } from '../../src/web/visit.ts';

/** What the server lends to the loaders and actions of a request. */
export const visitContext = createContext<Visit>();

/** Where a link that is mailed leads: to the host of the visitor if that is one of ours, and on to a path. */
export async function wayOf({ db, features, host, baseUrl }: Visit, next: string | null): Promise<Way> {
  const board = await features.findBoardByDomain(db.read, host);
  return { origin: board ? `https://${host}` : baseUrl, next };
}
