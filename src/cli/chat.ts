import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { operator } from '../identity/users/authority.ts';
import { type Chat, changeChat, chatNames, listChats } from '../operations/chat-in/settings.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { makeCipher } from '../platform/lib/cipher.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

type UpdateOptions = BoardOptions & { slackSigningSecretFile?: string; discordPublicKey?: string };

/** `chat show|update`. */
export function addChat(program: Command, env: Environment, terminal: Terminal): void {
  const chat = program.command('chat').description('manage ideas from Slack and Discord; see docs/capture.md');
  const show = async (options: BoardOptions) =>
    withBoard(env, options.board, async (context) => {
      const states = await listChats({ ...context, actor: operator });
      const lines = states.map((state) => `${chatNames[state.chat]}: ${state.isOn ? 'on' : 'off'}, ${state.url}`);
      print(terminal, options, states, lines.join('\n'));
    });

  withBoardOptions(chat.command('show'))
    .description('show which chats make ideas on a board, and the URLs of their requests')
    .action(show);

  withBoardOptions(chat.command('update'))
    .description('turn chats on or off')
    .option(
      '--slack-signing-secret-file <file>',
      'file with the signing secret of the Slack app, - for standard input; "" turns Slack off',
    )
    .option('--discord-public-key <key>', 'public key of the Discord application; "" turns Discord off')
    .action(async (options: UpdateOptions) => {
      const changes = readChanges(options);
      await withBoard(env, options.board, async (context, { db, config }) => {
        const cipher = makeCipher(await requireStoreKey(db, config, listEncryptedSecrets));
        for (const [name, secret] of changes) await changeChat({ ...context, actor: operator }, cipher, name, secret);
      });
      await show(options);
    });
}

/** The new secret of each chat that is to change; null turns it off. A file that is empty is none: its secret is missing. */
function readChanges({ slackSigningSecretFile: file, discordPublicKey: key }: UpdateOptions): [Chat, string | null][] {
  return [
    ...(file === undefined
      ? []
      : [['SLACK', file === '' ? null : readFileSync(file === '-' ? 0 : file, 'utf8')] as const]),
    ...(key === undefined ? [] : [['DISCORD', key || null] as const]),
  ].map(([name, secret]) => [name, secret]);
}
