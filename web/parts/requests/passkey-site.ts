import type { PasskeySite } from '#src/identity/accounts/passkeys.ts';
import { addressOfDomain, findBoardByDomain } from '#src/identity/board/board.ts';
import type { Visit } from '#src/pages/visit.ts';

/** Where the passkeys of a visitor work: at the custom domain that they have come to, else at `BASE_URL`. */
export async function passkeySiteOf({ db, host, baseUrl }: Visit): Promise<PasskeySite> {
  const board = await findBoardByDomain(db.read, host);
  return { origin: new URL(board?.domain ? addressOfDomain(board.domain, baseUrl) : baseUrl).origin };
}
