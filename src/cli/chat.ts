import type { Command } from 'commander';
import { operator } from '../identity/users/authority.ts';
import {
  type Chat,
  changeChat,
  changeThreads,
  chatNames,
  listChats,
  type ThreadMode,
  threadModes,
} from '../operations/chat-in/settings.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { badRequest } from '../platform/errors.ts';
import { makeCipher } from '../platform/lib/cipher.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { readInput } from './input.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

/** Bytes of a file with a secret, which has a hundred. */
const MAX_SECRET_BYTES = 10_000;

type UpdateOptions = BoardOptions & {
  slackSigningSecretFile?: string;
  slackThreads?: string;
  discordPublicKey?: string;
};

/** `chat show|update`. */
export function addChat(program: Command, env: Environment, terminal: Terminal): void {
  const chat = program.command('chat').description('manage ideas from Slack and Discord; see docs/capture.md');
  const show = async (options: BoardOptions) =>
    withBoard(env, options.board, async (context) => {
      const states = await listChats({ ...context, actor: operator });
      const lines = states.map(({ chat, url, isOn, threads }) => {
        const replies = threads ? `, threads: ${threads.toLowerCase()}` : '';
        return `${chatNames[chat]}: ${isOn ? 'on' : 'off'}, ${url}${replies}`;
      });
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
    .option(
      '--slack-threads <what>',
      'what replies to linked messages become: off, notes (internal) or comments (public)',
    )
    .option('--discord-public-key <key>', 'public key of the Discord application; "" turns Discord off')
    .action(async (options: UpdateOptions) => {
      const changes = await readChanges(options);
      const threads = parseThreads(options.slackThreads);
      await withBoard(env, options.board, async (context, { db, config }) => {
        const cipher = makeCipher(await requireStoreKey(db, config, listEncryptedSecrets));
        for (const [name, secret] of changes) await changeChat({ ...context, actor: operator }, cipher, name, secret);
        if (threads) await changeThreads({ ...context, actor: operator }, threads);
      });
      await show(options);
    });
}

function parseThreads(given: string | undefined): ThreadMode | null {
  if (given === undefined) return null;
  const mode = threadModes.find((name) => name.toLowerCase() === given.toLowerCase());
  if (!mode) throw badRequest('--slack-threads is off, notes or comments');
  return mode;
}

/** The new secret of each chat that is to change; null turns it off. A file that is empty is none: its secret is missing. */
async function readChanges({ slackSigningSecretFile: file, discordPublicKey: key }: UpdateOptions) {
  const changes: [Chat, string | null][] = [];
  if (file !== undefined) changes.push(['SLACK', file === '' ? null : await readInput(file, MAX_SECRET_BYTES)]);
  if (key !== undefined) changes.push(['DISCORD', key || null]);
  return changes;
}
