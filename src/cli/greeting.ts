import { boardUrl, requireFirstBoard } from '../identity/board/board.ts';
import { createKey } from '../identity/keys/keys.ts';
import { makeSetupLink } from '../identity/team/inviting.ts';
import { createFirstBoard } from '../operations/boards/create.ts';
import type { Config } from '../platform/config.ts';
import type { Db } from '../platform/db/db.ts';
import type { Clock } from '../platform/lib/clock.ts';
import type { Terminal } from './terminal.ts';

/**
 * Prints where the board is. On an empty store it first creates the first board, a setup link and a key, and prints how
 * to start: the only time that this link and this key are shown.
 */
export async function greet(db: Db, clock: Clock, config: Config, terminal: Terminal): Promise<void> {
  const { baseUrl } = config;
  const first = await createFirstBoard(db, clock, { name: 'Feedback' });
  const board = first ?? (await requireFirstBoard(db.read));
  const where = `Earshot serves the board ${board.name} (${boardUrl(board, baseUrl)}), API at ${baseUrl}/api/v1/graphql`;
  if (!first) return terminal.out(where);
  const { key } = await createKey({ db, clock, baseUrl, board }, { name: 'First key' });
  terminal.out(`${where}

Set up the board in a browser, as its owner. This link works once, within 24 hours:

  ${await makeSetupLink({ db, clock, baseUrl, board })}

Your first API key, with read and write permission. Save it now: it is not shown again.

  ${key}

Create a user with it:

  ${curlLine(baseUrl, key)}

README.md continues from here: a post, a list of posts, the event log, a webhook.`);
}

function curlLine(baseUrl: string, key: string): string {
  const query = 'mutation { createUser(ssoType: SSO, ssoId: \\"1\\", name: \\"Ada\\") { id name } }';
  return [
    `curl ${baseUrl}/api/v1/graphql`,
    `-H 'apikey: ${key}'`,
    `-H 'content-type: application/json'`,
    `-d '{"query":"${query}"}'`,
  ].join(' ');
}
