import { type Command, Option } from 'commander';
import {
  type BoardRow,
  boardUrl,
  listBoards,
  type NewBoard,
  type Plan,
  plans,
  updateBoard,
} from '../identity/board/board.ts';
import { createBoard } from '../operations/boards/create.ts';
import { deleteBoard } from '../operations/boards/delete.ts';
import { addressOfBoard } from '../operations/mail-in/recipients.ts';
import type { Config } from '../platform/config.ts';
import { lockForServing } from '../platform/db/serve-lock.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { type Environment, withBoard, withStore } from './store.ts';
import {
  type BoardOptions,
  formatInstant,
  type OutputOptions,
  print,
  printList,
  type Terminal,
  withBoardOptions,
} from './terminal.ts';

type ChangeOptions = BoardOptions & {
  name?: string;
  description?: string;
  plan?: Lowercase<Plan>;
  mailIn?: 'on' | 'off';
  mailAddress?: string;
};

/** `board create|list|show|update|delete`. */
export function addBoard(program: Command, env: Environment, terminal: Terminal): void {
  const board = program.command('board').description('create, list, show, change and delete boards');
  const plan = () =>
    new Option('--plan <plan>', 'plan of the board; the API needs pro or enterprise').choices(
      plans.map((p) => p.toLowerCase()),
    );

  board
    .command('create')
    .description('create a board')
    .requiredOption('--name <name>', 'name of the board')
    .option('--description <text>', 'short description')
    .addOption(plan())
    .option('--json', 'print JSON')
    .action((options: ChangeOptions & { name: string }) =>
      withStore(env, async ({ db, clock, config }) => {
        const row = await createBoard(db, clock, { ...readChanges(options), name: options.name });
        print(terminal, options, toJson(row, config), toWords(row, config));
      }),
    );

  board
    .command('list')
    .description('list boards, oldest first')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withStore(env, async ({ db, config }) => {
        const rows = await listBoards(db.read);
        const table = rows.map((row) => ({ pid: row.pid, name: row.name, plan: row.plan, posts: row.post_count }));
        const items = rows.map((row) => toJson(row, config));
        printList(terminal, options, items, table, 'No boards yet.');
      }),
    );

  withBoardOptions(board.command('show').description('show a board')).action((options: BoardOptions) =>
    withBoard(env, options.board, async ({ board: row }, { config }) =>
      print(terminal, options, toJson(row, config), toWords(row, config)),
    ),
  );

  withBoardOptions(
    withMailOptions(
      board
        .command('update')
        .description('change the given properties of a board')
        .option('--name <name>', 'name of the board')
        .option('--description <text>', 'short description')
        .addOption(plan()),
    ),
  ).action((options: ChangeOptions) =>
    withBoard(env, options.board, async ({ db, board: before }, { config }) => {
      const row = (await updateBoard(db, before.pid, readChanges(options))) ?? before;
      print(terminal, options, toJson(row, config), toWords(row, config));
    }),
  );

  addDelete(board, env, terminal);
}

function addDelete(board: Command, env: Environment, terminal: Terminal): void {
  board
    .command('delete')
    .description(
      'delete a board with everything that belongs to it, for example after `copy --board`. There is no undo. ' +
        'With SQLite, the server must be stopped',
    )
    .requiredOption('--board <pid>', 'board to delete')
    .requiredOption('--yes', 'confirm that nothing of the board is kept')
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { board: string }) =>
      withBoard(env, options.board, async ({ db, board: row }, { config }) => {
        const unlock = lockForServing(config, 'stop it first');
        await db.transaction((tx) => deleteBoard(tx, row.id)).finally(unlock);
        print(terminal, options, toJson(row, config), `Deleted ${toWords(row, config)}`);
      }),
    );
}

function withMailOptions(command: Command): Command {
  const state = new Option('--mail-in <state>', 'whether mail becomes ideas (docs/capture.md)').choices(['on', 'off']);
  return command
    .addOption(state)
    .option('--mail-address <address>', 'address that people write to, if it forwards to that of the board');
}

function readChanges({ name, description, plan, mailIn, mailAddress }: ChangeOptions): Partial<NewBoard> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(plan !== undefined && { plan: plan.toUpperCase() as Plan }),
    ...(mailIn !== undefined && { isMailInEnabled: mailIn === 'on' }),
    ...(mailAddress !== undefined && { mailAddress }),
  };
}

type Addresses = Pick<Config, 'baseUrl' | 'mailIn'>;

function toJson(row: BoardRow, config: Addresses) {
  const { id, pid, name, description, plan, post_count } = row;
  const url = boardUrl(row, config.baseUrl);
  const mail = mailOf(row, config);
  return {
    id,
    pid,
    name,
    description,
    plan,
    postCount: post_count,
    url,
    mail,
    dateCreated: formatInstant(row.date_created),
  };
}

function toWords(row: BoardRow, config: Addresses): string {
  const mail = mailOf(row, config);
  const words = [
    `${row.name} (${row.pid})`,
    `plan ${row.plan}`,
    quantity(row.post_count, 'post', 'posts'),
    boardUrl(row, config.baseUrl),
    ...(mail === null ? [] : [`mail to ${mail}`]),
  ];
  return words.join(', ');
}

/** Where mail becomes ideas of a board; null if none does. */
function mailOf(row: BoardRow, { mailIn }: Addresses): string | null {
  return mailIn && row.is_mail_in_enabled ? addressOfBoard(row, mailIn.domain) : null;
}
