import '../api/graphql/features.ts';
import { type Command, InvalidArgumentError } from 'commander';
import { makeSchema } from '../api/graphql/schema.ts';
import { readStored, requirePublicDocuments } from '../identity/keys/documents.ts';
import {
  changePublishableKey,
  createPublishableKey,
  DEFAULT_PER_NETWORK,
  DEFAULT_PER_VISITOR,
  listPublishableKeys,
  MAX_DOCUMENTS,
  originsOf,
  type PublishableKeyRow,
  requirePublishableKey,
  revokePublishableKey,
} from '../identity/keys/publishable.ts';
import { operator } from '../identity/users/authority.ts';
import { readInput } from './input.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, formatInstant, print, printList, type Terminal, withBoardOptions } from './terminal.ts';

type Options = BoardOptions & {
  name?: string;
  origin?: string[];
  documents?: string;
  perNetwork?: number;
  perVisitor?: number;
};

/** `publishable-key create|list|update|revoke`. */
export function addPublishableKey(program: Command, env: Environment, terminal: Terminal): void {
  const key = program
    .command('publishable-key')
    .description('manage the keys of websites and apps; see docs/publishable-keys.md');

  withSettings(key.command('create'), true)
    .description('create a publishable key and print it')
    .action((options: Options) =>
      withBoard(env, options.board, async (context) => {
        const settings = {
          name: options.name ?? '',
          origins: (options.origin ?? []).join(' '),
          documents: await readRegistered(options.documents),
          perNetwork: options.perNetwork ?? DEFAULT_PER_NETWORK,
          perVisitor: options.perVisitor ?? DEFAULT_PER_VISITOR,
        };
        const row = await createPublishableKey({ ...context, actor: operator }, settings, requirePublic);
        print(terminal, options, toJson(row), row.key);
      }),
    );

  withBoardOptions(key.command('list'))
    .description('list the publishable keys of a board')
    .action((options: BoardOptions) =>
      withBoard(env, options.board, async ({ db, board }) => {
        const rows = await listPublishableKeys(db.read, board.id);
        const table = rows.map((row) => ({
          id: row.id,
          name: row.name,
          key: row.key,
          origins: row.origins,
          documents: readStored(row.documents).length,
          'last used': formatInstant(row.date_last_used) ?? 'never',
          state: row.date_revoked === null ? 'active' : 'revoked',
        }));
        const none = 'There is no publishable key yet: create one with `publishable-key create`.';
        printList(terminal, options, rows.map(toJson), table, none);
      }),
    );

  withSettings(key.command('update'), false)
    .argument('<id>', 'id of the key, see `publishable-key list`')
    .description('change what a publishable key may do; what is not given stays')
    .action((id: string, options: Options) =>
      withBoard(env, options.board, async (context) => {
        const row = await requirePublishableKey(context.db.read, context.board.id, id);
        const settings = {
          name: options.name ?? row.name,
          origins: options.origin?.join(' ') ?? row.origins,
          documents: options.documents === undefined ? row.documents : await readRegistered(options.documents),
          perNetwork: options.perNetwork ?? row.per_network,
          perVisitor: options.perVisitor ?? row.per_visitor,
        };
        const changed = await changePublishableKey({ ...context, actor: operator }, id, settings, requirePublic);
        print(terminal, options, toJson(changed), `Changed ${changed.name}.`);
      }),
    );

  withBoardOptions(key.command('revoke'))
    .argument('<id>', 'id of the key, see `publishable-key list`')
    .description('revoke a publishable key; running servers refuse it within 5 seconds')
    .action((id: string, options: BoardOptions) =>
      withBoard(env, options.board, async (context) => {
        const row = await revokePublishableKey({ ...context, actor: operator }, id);
        print(terminal, options, toJson(row), `Revoked ${row.name}.`);
      }),
    );
}

function withSettings(command: Command, isNew: boolean): Command {
  const origin = 'where it may be used, such as https://app.example.com, or myapp://done for an app';
  const [name, documents] = ['short description', 'file with GraphQL operations or a manifest, - for standard input'];
  if (isNew) command.requiredOption('--name <name>', name).requiredOption('--origin <origin...>', origin);
  else command.option('--name <name>', name).option('--origin <origin...>', origin);
  return withBoardOptions(
    command
      .option('--documents <file>', documents)
      .option(
        '--per-network <requests>',
        `requests a minute of a network${isNew ? ` (default: ${DEFAULT_PER_NETWORK})` : ''}`,
        parseLimit,
      )
      .option(
        '--per-visitor <requests>',
        `requests a minute of a visitor${isNew ? ` (default: ${DEFAULT_PER_VISITOR})` : ''}`,
        parseLimit,
      ),
  );
}

/** The documents of a file; none without one. */
async function readRegistered(file: string | undefined): Promise<string> {
  return file === undefined ? '' : readInput(file, 4 * MAX_DOCUMENTS);
}

function requirePublic(source: string): void {
  requirePublicDocuments(makeSchema(), source);
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number of requests, such as 600.');
}

function toJson(row: PublishableKeyRow) {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    origins: originsOf(row),
    documents: readStored(row.documents).map(({ ids }) => ids[0]),
    perNetwork: row.per_network,
    perVisitor: row.per_visitor,
    dateCreated: formatInstant(row.date_created),
    dateRevoked: formatInstant(row.date_revoked),
    dateLastUsed: formatInstant(row.date_last_used),
  };
}
