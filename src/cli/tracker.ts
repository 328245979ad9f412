import { type Command, Option } from 'commander';
import { operator } from '../identity/users/authority.ts';
import { type TrackerKind, trackerKinds, trackerNames } from '../operations/trackers/kinds.ts';
import {
  changeTracker,
  connectTracker,
  disconnectTracker,
  listTrackers,
  makeTrackerHook,
  type TrackerRule,
  trackerRules,
} from '../operations/trackers/trackers.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { notFound } from '../platform/errors.ts';
import { systemClock } from '../platform/lib/clock.ts';
import { makeSender } from '../webhooks/http/sender.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { readInput } from './input.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

/** Bytes of a file with a token, which has a hundred. */
const MAX_TOKEN_BYTES = 10_000;

type ConnectOptions = BoardOptions & { tokenFile: string; kind: TrackerKind };
type UpdateOptions = BoardOptions & { rule?: TrackerRule; tellIssues?: 'on' | 'off' };

/** How to have a webhook, in the words of each tracker. */
const hookOf: Readonly<Record<TrackerKind, (url: string, secret: string) => string>> = {
  GITHUB: (url, secret) =>
    `Add a webhook to the repository:\nPayload URL: ${url}\nContent type: application/json\nSecret: ${secret}\nEvents: Issues, Pull requests, Releases`,
  GITLAB: (url, secret) =>
    `Add a webhook to the project:\nURL: ${url}\nSecret token: ${secret}\nTrigger: Issues events, Confidential issues events, Releases events`,
  JIRA: (url, secret) =>
    `Add a webhook to Jira, in Settings › System › WebHooks:\nURL: ${url}\nSecret: ${secret}\nJQL: project = KEY, with the key of the project\nEvents: issue created, updated, deleted`,
  LINEAR: () => 'Let Linear make the webhook with `earshot tracker hook`, while the key is one of an admin.',
};

/** `tracker show|connect|hook|update|disconnect`. */
export function addTracker(program: Command, env: Environment, terminal: Terminal): void {
  const tracker = program
    .command('tracker')
    .description('link ideas with issues at GitHub, GitLab, Linear and Jira; see docs/trackers.md');

  withBoardOptions(tracker.command('show'))
    .description('show the connected projects, and where their webhooks lead')
    .action(async (options: BoardOptions) =>
      withBoard(env, options.board, async (context) => {
        const trackers = await showTrackers({ ...context, actor: operator });
        const lines = trackers.map(({ kind, project, rule, url, failure }) =>
          [`${trackerNames[kind]} ${project}: ${rule}, ${url}`, failure].filter(Boolean).join('\n  '),
        );
        print(terminal, options, trackers, lines.join('\n') || 'No project is connected.');
      }),
    );

  addConnecting(tracker, env, terminal);

  withBoardOptions(tracker.command('update'))
    .argument('<project>', 'as `tracker show` prints it')
    .description('change what follows from the end of an issue')
    .addOption(new Option('--rule <rule>', 'what follows once an issue is completed').choices(trackerRules))
    .addOption(
      new Option('--tell-issues <state>', 'whether a comment tells each issue of votes and status').choices([
        'on',
        'off',
      ]),
    )
    .action(async (project: string, { rule, tellIssues, ...options }: UpdateOptions) =>
      withBoard(env, options.board, async (context) => {
        const admin = { ...context, actor: operator };
        const found = await requireProject(admin, project);
        await changeTracker(admin, found.id, {
          rule: rule ?? found.rule,
          tellsIssues: tellIssues === undefined ? found.tellsIssues : tellIssues === 'on',
        });
        print(terminal, options, await requireProject(admin, project), `${project} is updated.`);
      }),
    );

  withBoardOptions(tracker.command('disconnect'))
    .argument('<project>', 'as `tracker show` prints it')
    .description('end a connection, and the links to its issues')
    .action(async (project: string, options: BoardOptions) =>
      withBoard(env, options.board, async (context) => {
        const admin = { ...context, actor: operator };
        const { id } = await requireProject(admin, project);
        await disconnectTracker(admin, id);
        print(terminal, options, { id }, `${project} is disconnected.`);
      }),
    );
}

/** `tracker connect|hook`. */
function addConnecting(tracker: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(tracker.command('connect'))
    .argument(
      '<project>',
      'such as acme/app, at Linear acme/ENG, at Jira acme/APP, or its address on a server of your own',
    )
    .description('connect a repository, project or team, or replace its token')
    .addOption(
      new Option('--kind <tracker>', 'which tracker it is')
        .choices(trackerKinds)
        .default('GITHUB' satisfies TrackerKind),
    )
    .requiredOption(
      '--token-file <file>',
      'file with a token that may read and write issues, at Jira email:token; - for standard input',
    )
    .action(async (project: string, options: ConnectOptions) => {
      const token = await readInput(options.tokenFile, MAX_TOKEN_BYTES);
      await withBoard(env, options.board, async (context, { db, config }) => {
        const sender = makeSender(config, await requireStoreKey(db, config, listEncryptedSecrets), systemClock);
        const admin = { ...context, actor: operator };
        const { id, secret } = await connectTracker(admin, sender, { kind: options.kind, named: project, token });
        const url = (await listTrackers(admin)).find((each) => each.id === id)?.url ?? '';
        print(terminal, options, { id, url, secret }, hookOf[options.kind](url, secret));
      });
    });

  withBoardOptions(tracker.command('hook'))
    .argument('<project>', 'as `tracker show` prints it')
    .description('let Linear make the webhook of a team, or enable it again')
    .action(async (project: string, options: BoardOptions) =>
      withBoard(env, options.board, async (context, { db, config }) => {
        const sender = makeSender(config, await requireStoreKey(db, config, listEncryptedSecrets), systemClock);
        const admin = { ...context, actor: operator };
        const { id, url } = await requireProject(admin, project);
        await makeTrackerHook(admin, sender, id);
        print(terminal, options, { id, url }, `The webhook of ${project} leads to ${url}`);
      }),
    );
}

/** What is shown of trackers, with failures in English. */
async function showTrackers(context: Parameters<typeof listTrackers>[0]) {
  return (await listTrackers(context)).map(({ failure, ...rest }) => ({ ...rest, failure: failure?.text ?? null }));
}

async function requireProject(context: Parameters<typeof listTrackers>[0], project: string) {
  const found = (await showTrackers(context)).find((each) => each.project === project);
  if (!found) throw notFound('Tracker');
  return found;
}
