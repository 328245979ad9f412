import { type Command, Option } from 'commander';
import { type BoardRow, boardUrl, listBoards, type NewBoard, type Plan, plans, updateBoard } from '../board/board.ts';
import { createBoard } from '../board/create.ts';
import { type Environment, withBoard, withStore } from './store.ts';
import { formatInstant, type OutputOptions, print, printList, type Terminal } from './terminal.ts';

type BoardOptions = OutputOptions & { name?: string; description?: string; plan?: Lowercase<Plan>; board?: string };

/** `board create|list|show|update`. */
export function addBoard(program: Command, env: Environment, terminal: Terminal): void {
  const board = program.command('board').description('make, list, show and change boards');
  const plan = () => new Option('--plan <plan>', 'what the board may use').choices(plans.map((p) => p.toLowerCase()));

  board
    .command('create')
    .description('make a board')
    .requiredOption('--name <name>', 'what people call the board')
    .option('--description <text>', 'what it is for')
    .addOption(plan())
    .option('--json', 'print one JSON object')
    .action((options: BoardOptions & { name: string }) =>
      withStore(env, async ({ db, clock, config }) => {
        const row = await createBoard(db, clock, { ...readChanges(options), name: options.name });
        print(terminal, options, toJson(row, config.baseUrl), toWords(row, config.baseUrl));
      }),
    );

  board
    .command('list')
    .description('list the boards, the oldest first')
    .option('--json', 'print one JSON object')
    .action((options: OutputOptions) =>
      withStore(env, async ({ db, config }) => {
        const rows = await listBoards(db.read);
        const table = rows.map((row) => ({ pid: row.pid, name: row.name, plan: row.plan, posts: row.post_count }));
        const items = rows.map((row) => toJson(row, config.baseUrl));
        printList(terminal, options, items, table, 'There is no board yet.');
      }),
    );

  board
    .command('show')
    .description('show a board')
    .option('--board <pid>', 'which board (default: the first)')
    .option('--json', 'print one JSON object')
    .action((options: BoardOptions) =>
      withBoard(env, options.board, async ({ board: row, baseUrl }) =>
        print(terminal, options, toJson(row, baseUrl), toWords(row, baseUrl)),
      ),
    );

  board
    .command('update')
    .description('change a board; what is not given stays as it is')
    .option('--board <pid>', 'which board (default: the first)')
    .option('--name <name>', 'what people call the board')
    .option('--description <text>', 'what it is for')
    .addOption(plan())
    .option('--json', 'print one JSON object')
    .action((options: BoardOptions) =>
      withBoard(env, options.board, async ({ db, board: before, baseUrl }) => {
        const row = (await updateBoard(db, before.pid, readChanges(options))) ?? before;
        print(terminal, options, toJson(row, baseUrl), toWords(row, baseUrl));
      }),
    );
}

function readChanges({ name, description, plan }: BoardOptions): Partial<NewBoard> {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(plan !== undefined && { plan: plan.toUpperCase() as Plan }),
  };
}

function toJson(row: BoardRow, baseUrl: string) {
  const { id, pid, name, description, plan, post_count } = row;
  const dateCreated = formatInstant(row.date_created);
  return { id, pid, name, description, plan, postCount: post_count, url: boardUrl(row, baseUrl), dateCreated };
}

function toWords(row: BoardRow, baseUrl: string): string {
  return `${row.name} (${row.pid}), plan ${row.plan}, ${row.post_count} posts, ${boardUrl(row, baseUrl)}`;
}
