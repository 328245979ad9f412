import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { makeFileFolder } from '../feedback/files/folder.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { type DateOrder, dateOrders } from '../operations/imports/dates.ts';
import { type Encoding, encodings } from '../operations/imports/decoding.ts';
import { importItems } from '../operations/imports/import.ts';
import { type ImportItems, type Problem, type SourceName, sourceNames } from '../operations/imports/items.ts';
import type { StatusChoices } from '../operations/imports/labels.ts';
import { describeLastImport } from '../operations/imports/past-imports.ts';
import { recognizeFile } from '../operations/imports/recognizing.ts';
import { type Patience, Remote } from '../operations/imports/remote.ts';
import { meanings } from '../operations/imports/sources/meanings.ts';
import type { Reader } from '../operations/imports/sources/nolt-api.ts';
import type { Mapping, TableReading } from '../operations/imports/sources/survey.ts';
import { isUrl, openSource, type SourceOptions } from '../operations/imports/sources.ts';
import { undoImport } from '../operations/imports/undo.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/lib/clock.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { makeAddressRules } from '../webhooks/http/address.ts';
import { makeResolver } from '../webhooks/http/resolve.ts';
import { followTo, isFollowable, parsePause, requireFollowed } from './following.ts';
import {
  describe,
  describeLast,
  describeReading,
  describeUnused,
  PRINTED,
  parseMapping,
  parseStatuses,
} from './import-words.ts';
import { parseIdentity } from './key.ts';
import { type Environment, type Store, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

type ImportCommand = BoardOptions & {
  from?: SourceName;
  plan: boolean;
  map: Mapping;
  status: StatusChoices;
  dates?: DateOrder;
  encoding?: Encoding;
  problems?: string;
  fromBoard?: string;
  as?: Reader;
  follow: boolean;
  every: number;
};

/** Pauses that no one notices. */
const SHORT_PAUSE_MS = 5_000;

/** `import`: ideas, comments and votes from another product. */
export function addImport(program: Command, env: Environment, terminal: Terminal): void {
  const command = program
    .command('import')
    .description(
      'add ideas, comments and votes from another product to a board, notifying no one; running it again adds no duplicates',
    )
    .argument(
      '<source>',
      'a file: CSV, the backup.zip of Fider, the JSONL export of Earshot; or the address of an API: https://canny.io/api/v1 with CANNY_API_KEY in the environment, https://api.github.com/repos/<owner>/<name> with GITHUB_TOKEN, the address of a board of Fider with FIDER_API_KEY, https://<board>/api/v1/graphql with NOLT_API_KEY',
    )
    .addOption(
      new Option(
        '--from <source>',
        'product that it comes from (default: recognized by the content of the file)',
      ).choices(sourceNames),
    )
    .option('--plan', 'show what would be added and what is wrong, and change nothing', false)
    .option(
      '--map <pairs>',
      `columns of a CSV file, such as "title=Subject,text=Body"; the names on the left are ${meanings.join(', ')}, field <name>`,
      parseMapping,
      {},
    )
    .option(
      '--status <pairs>',
      'statuses of the source, and those of the board that stand for them, such as "Offen=Open,Later=On hold"; missing ones are added',
      parseStatuses,
      new Map(),
    )
    .addOption(
      new Option(
        '--dates <order>',
        'what comes first in dates such as 01/02/2025 (default: as the file shows)',
      ).choices(dateOrders),
    )
    .addOption(
      new Option('--encoding <name>', 'encoding of a CSV file (default: recognized by its bytes)').choices(encodings),
    )
    .option('--problems <file>', 'write every problem with its line to a file')
    .option('--from-board <name>', 'Canny board to read, if there are several')
    .option(
      '--as <ssotype:userId>',
      'user of the other board who reads its GraphQL API (default: that of the key)',
      parseIdentity,
    );
  withBoardOptions(withFollowing(command)).action((place: string, options: ImportCommand) =>
    withBoard(env, options.board, (context, store) => {
      const work = { env, terminal, context, store, place, options };
      return options.follow ? followPlace(work) : importOnce(work);
    }),
  );
}

function withFollowing(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--follow',
        'keep taking in what changes at Canny, GitHub or Fider until stopped with Ctrl-C or SIGTERM; what was changed on the board stays',
      )
        .default(false)
        .conflicts('plan'),
    )
    .addOption(
      new Option('--every <time>', 'pause between two looks with --follow, such as 30s, 5m or 1h')
        .argParser(parsePause)
        .default(MINUTE_MS, '1m'),
    );
}

type Work = {
  env: Environment;
  terminal: Terminal;
  context: RequestContext;
  store: Store;
  place: string;
  options: ImportCommand;
};

async function importOnce({ env, terminal, context, store, place, options }: Work): Promise<void> {
  if (!isUrl(place)) await requireFile(place);
  const problems = await collectProblems(options.problems);
  const { source: from, reading } = await recognize(place, options);
  const items: ImportItems = openSource(from, place, {
    ...sourceOptions(env, store, options, { onPause: (words, ms) => tellPause(terminal, words, ms) }),
    reading,
  });
  const report = await importItems(context, from, items, {
    isPlan: options.plan,
    changes: isFollowable(from, place) ? 'REMEMBERED' : 'IGNORED',
    statuses: options.status,
    origin: originOf(place),
    folder: makeFileFolder(store.config.dataDir),
    onProblem: problems.add,
    onProgress: showProgress,
  }).finally(problems.close);
  print(
    terminal,
    options,
    { plan: options.plan, from, ...(reading && jsonOf(reading)), ...report, firstProblems: problems.first },
    [
      describe({ ...options, from }, report, problems.first),
      ...describeUnused(options.status, report),
      ...(reading ? describeReading(reading) : []),
    ].join('\n'),
  );
}

/** What an import is continued by; an address may have a password. */
function originOf(place: string): string {
  if (!isUrl(place)) return basename(place);
  const { origin, pathname } = new URL(place);
  return origin + pathname;
}

/** `import --follow` */
async function followPlace({ env, terminal, context, store, place, options }: Work): Promise<void> {
  const from = requireFollowed(options.from, place);
  const problems = await collectProblems(options.problems);
  const { every: everyMs, status: statuses, json = false } = options;
  const following = { from, place, everyMs, statuses, json };
  await followTo(context, store, following, terminal, {
    optionsOf: (patience) => ({ ...sourceOptions(env, store, options, patience), reading: null }),
    describeFirst: (report) => describe({ ...options, from }, report, problems.first),
    onProblem: problems.add,
    onProgress: showProgress,
  }).finally(problems.close);
}

/** `undo-import`: takes the last import back. */
export function addUndoImport(program: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(
    program
      .command('undo-import')
      .description(
        'permanently remove the ideas of the last import and what came with them, unless someone has changed them, commented or voted on them since',
      )
      .option('--plan', 'print what would be removed, and change nothing', false),
  ).action((options: BoardOptions & { plan: boolean }) =>
    withBoard(env, options.board, async (context) => {
      if (options.plan) {
        const last = await describeLastImport(context);
        print(terminal, options, last ?? { posts: 0 }, describeLast(last));
        return;
      }
      const undone = await undoImport(context, showProgress);
      const removed = [
        quantity(undone.posts, 'idea', 'ideas'),
        quantity(undone.entries, 'changelog entry', 'changelog entries'),
        quantity(undone.statuses, 'status', 'statuses'),
        quantity(undone.tags, 'tag', 'tags'),
      ];
      const users = quantity(undone.users, 'user', 'users');
      print(terminal, options, undone, `Removed ${removed.join(', ')} and ${users} that came from ${undone.source}.`);
    }),
  );
}

function sourceOptions(
  env: Environment,
  { config, clock }: Store,
  options: ImportCommand,
  patience: Patience = {},
): Omit<SourceOptions, 'reading'> {
  const rules = makeAddressRules(config.webhookAllowCidrs);
  const key = (name: string) => env[name]?.trim() ?? '';
  return {
    remote: new Remote({ rules, resolve: makeResolver({ rules, clock }) }, { maxPauseMs: HOUR_MS, ...patience }),
    keys: {
      canny: key('CANNY_API_KEY'),
      fider: key('FIDER_API_KEY'),
      github: key('GITHUB_TOKEN'),
      nolt: key('NOLT_API_KEY'),
    },
    board: options.fromBoard,
    reader: options.as ?? null,
  };
}

/** Says why nothing happens for a while. */
function tellPause(terminal: Terminal, words: string, ms: number): void {
  if (ms >= SHORT_PAUSE_MS) terminal.error(`${words}. Trying again in ${Math.ceil(ms / SECOND_MS)} seconds.`);
}

/** How a table was read, for programs. */
function jsonOf({ encoding, dates, columns }: TableReading) {
  return { encoding, dates, columns: columns.map(({ name, meaning }) => ({ name, meaning })) };
}

/** What is read at an address is named; a file shows it. */
async function recognize(place: string, { from, map, dates, encoding }: ImportCommand) {
  if (isUrl(place)) return { source: from ?? 'csv', reading: null } as const;
  return recognizeFile(place, { from, mapping: map, dates, encoding });
}

async function requireFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found?.isFile()) throw new Error(`There is no file ${file}`);
}

function showProgress(items: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${items.toLocaleString('en')} `);
}

/** Keeps the first problems, and writes all of them to a file if there is one. */
async function collectProblems(file: string | undefined) {
  const first: Problem[] = [];
  const out = file === undefined ? null : (await open(file, 'w')).createWriteStream();
  return {
    first,
    add(problem: Problem) {
      if (first.length < PRINTED) first.push(problem);
      out?.write(`${problem.line}\t${problem.column ?? ''}\t${problem.message}\n`);
    },
    async close() {
      out?.end();
      if (out) await finished(out);
    },
  };
}
