import type { Command } from 'commander';
import { inviteOwner } from '../identity/team/inviting.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { makeCipher } from '../platform/lib/cipher.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

/** `owner invite`. */
export function addOwner(program: Command, env: Environment, terminal: Terminal): void {
  const owner = program.command('owner').description('manage the owners of a board');
  withBoardOptions(
    owner
      .command('invite')
      .description('print and email a link that makes its recipient an owner; it works once, within 7 days')
      .requiredOption('--email <address>', 'email address of the new owner'),
  ).action((options: BoardOptions & { email: string }) =>
    withBoard(env, options.board, async (context, { db, config }) => {
      const cipher = makeCipher(await requireStoreKey(db, config, listEncryptedSecrets));
      const link = await inviteOwner(context, cipher, options.email);
      const words = `${link}\nIt works once, within 7 days. A running server also mails it to ${options.email}.`;
      print(terminal, options, { board: context.board.pid, email: options.email, link }, words);
    }),
  );
}
