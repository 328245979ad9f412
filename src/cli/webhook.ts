import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryRow } from '../events/deliveries.ts';
import { eventTypes } from '../feedback/event-log/event-types.ts';
import { operator } from '../identity/users/authority.ts';
import type { RequestContext } from '../identity/users/request-context.ts';
import { requireStoreKey } from '../platform/db/key-check.ts';
import { makeId } from '../platform/lib/ids.ts';
import { parseDay, parseInstant } from '../platform/lib/instant.ts';
import { makeLog } from '../platform/lib/log.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { guessKind, isChat, maskUrl, type WebhookKind } from '../webhooks/chat/kinds.ts';
import { makeSender } from '../webhooks/http/sender.ts';
import { listDeliveries } from '../webhooks/log/log.ts';
import { withLastSuccess } from '../webhooks/log/statistics.ts';
import { deliveryStateOf, describeDelivery, describeTest, nextAttemptOf } from '../webhooks/managing/describing.ts';
import type { Backlog } from '../webhooks/managing/enabling.ts';
import { manageWebhooks } from '../webhooks/managing/managing.ts';
import { TEST_EVENT } from '../webhooks/managing/testing.ts';
import { listEncryptedSecrets } from '../webhooks/webhook/encrypted-secrets.ts';
import { eventsOf } from '../webhooks/webhook/filters.ts';
import { listWebhooks, requireWebhook } from '../webhooks/webhook/webhooks.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, formatInstant, print, printList, type Terminal, withBoardOptions } from './terminal.ts';
import {
  type ConfigOptions,
  madeSecrets,
  makeKindOption,
  readFilters,
  readSecrets,
  withConfigOptions,
} from './webhook-options.ts';
import { finish, toJson } from './webhook-output.ts';

type Managing = ReturnType<typeof manageWebhooks>;
type Lend = <T>(
  pid: string | undefined,
  work: (context: RequestContext, webhooks: Managing) => Promise<T>,
) => Promise<T>;

/** `webhook create|list|show|update|enable|disable|test|delete|deliveries|replay`. */
export function addWebhook(program: Command, env: Environment, terminal: Terminal): void {
  const webhook = program.command('webhook').description('manage webhooks; see docs/webhooks.md');
  const lend: Lend = (pid, work) =>
    withBoard(env, pid, async (context, { db, config }) => {
      const sender = makeSender(config, await requireStoreKey(db, config, listEncryptedSecrets), context.clock);
      // What a command does is printed, not logged.
      return work(context, manageWebhooks({ ...context, actor: operator }, sender, makeLog('silent')));
    });
  addConfiguration(webhook, lend, terminal);
  addStates(webhook, lend, terminal);
  addLog(webhook, lend, terminal);
}

function addConfiguration(webhook: Command, lend: Lend, terminal: Terminal): void {
  withConfigOptions(webhook.command('create'))
    .description('create a webhook, disabled; nothing is sent until the endpoint is verified')
    .requiredOption('--url <url>', 'URL of the receiver')
    .addOption(makeKindOption())
    .option('--enable', 'verify the endpoint and enable the webhook')
    .action((options: ConfigOptions & { url: string; kind?: WebhookKind; enable?: boolean }) =>
      lend(options.board, async (context, webhooks) => {
        const kind = options.kind ?? guessKind(options.url);
        if (options.enable) await requireNoOtherTry(context, options.url, kind);
        const secrets = readSecrets(options);
        const config = {
          url: options.url,
          kind,
          verifyToken: null,
          signingSecret: null,
          ...secrets,
          ...readFilters(options),
        };
        const webhook = await webhooks.create({ ...config, events: options.events ?? null }, makeId());
        const made = madeSecrets(options, secrets);
        const created = { webhook, verification: null };
        if (!options.enable) return finish(terminal, options, context, created, made);
        const enabled = await webhooks.enable(webhook.id, 'deliver').catch((error: Error) => error);
        // Generated secrets are shown now or never.
        await finish(terminal, options, context, enabled instanceof Error ? created : enabled, made);
        if (enabled instanceof Error) throw enabled;
      }),
    );

  withConfigOptions(webhook.command('update'))
    .description('change a webhook; while it is enabled, a new URL is verified before it takes effect')
    .argument('<id>', 'id of the webhook')
    .option('--url <url>', 'URL of the receiver')
    .option('--now', 'use a new signing secret immediately instead of after the receiver has accepted it')
    .action((id: string, options: ConfigOptions & { now?: boolean }) =>
      lend(options.board, async (context, webhooks) => {
        const secrets = readSecrets(options);
        const changes = {
          ...secrets,
          ...(options.url !== undefined && { url: options.url }),
          ...(options.events && { events: options.events }),
          ...readFilters(options),
          ...(options.now && { replacesSecretNow: true }),
        };
        await finish(terminal, options, context, await webhooks.update(id, changes), madeSecrets(options, secrets));
      }),
    );

  withBoardOptions(webhook.command('list'))
    .description('list the webhooks of a board')
    .action((options: BoardOptions) =>
      lend(options.board, async ({ db, board }) => {
        const rows = await withLastSuccess(db.read, await listWebhooks(db.read, board.id));
        const table = rows.map((row) => ({
          id: row.id,
          host: row.host,
          state: row.state,
          kind: row.kind.toLowerCase(),
          events: eventsOf(row)?.join(',') ?? 'all',
          'last success': formatInstant(row.date_last_success) ?? 'never',
        }));
        printList(terminal, options, rows.map(toJson), table, 'No webhooks yet: create one with `webhook create`.');
      }),
    );

  withBoardOptions(webhook.command('show'))
    .description('show a webhook and its health, without its secrets')
    .argument('<id>', 'id of the webhook')
    .action((id: string, options: BoardOptions) =>
      lend(options.board, async (context) => {
        const webhook = await requireWebhook(context.db.read, context.board.id, id);
        await finish(terminal, options, context, { webhook, verification: null });
      }),
    );

  withBoardOptions(webhook.command('delete'))
    .description('delete a webhook with its deliveries and log')
    .argument('<id>', 'id of the webhook')
    .action((id: string, options: BoardOptions) =>
      lend(options.board, async (_, webhooks) => {
        const row = await webhooks.delete(id);
        print(terminal, options, toJson(row), `Deleted the webhook at ${row.host}.`);
      }),
    );
}

function addStates(webhook: Command, lend: Lend, terminal: Terminal): void {
  withBoardOptions(webhook.command('enable'))
    .description('verify the endpoint and enable the webhook')
    .argument('<id>', 'id of the webhook')
    .addOption(
      new Option('--backlog <what>', 'what to do with pending events').choices(['deliver', 'skip']).default('deliver'),
    )
    .action((id: string, options: BoardOptions & { backlog: Backlog }) =>
      lend(options.board, async (context, webhooks) => {
        await finish(terminal, options, context, await webhooks.enable(id, options.backlog));
      }),
    );

  withBoardOptions(webhook.command('disable'))
    .description('disable a webhook; pending deliveries are kept')
    .argument('<id>', 'id of the webhook')
    .action((id: string, options: BoardOptions) =>
      lend(options.board, async (context, webhooks) => {
        await finish(terminal, options, context, { webhook: await webhooks.disable(id), verification: null });
      }),
    );

  withBoardOptions(webhook.command('test'))
    .description('send a test event now; if accepted, a pending signing secret becomes active')
    .argument('<id>', 'id of the webhook')
    .action((id: string, options: BoardOptions) =>
      lend(options.board, async (_, webhooks) => {
        const test = describeTest(await webhooks.test(id));
        const words = `${test.outcome}: ${test.reason}`;
        if (test.ok || options.json) print(terminal, options, test, words);
        if (!test.ok) throw new Error(words);
      }),
    );
}

function addLog(webhook: Command, lend: Lend, terminal: Terminal): void {
  withBoardOptions(webhook.command('deliveries'))
    .description('list deliveries, newest first')
    .argument('<id>', 'id of the webhook')
    .addOption(
      new Option('--state <state>', 'only deliveries in this state').choices([
        'waiting',
        'delivered',
        'given_up',
        'skipped',
      ]),
    )
    .addOption(new Option('--event <type>', 'only deliveries of this event type').choices([...eventTypes, TEST_EVENT]))
    .option('--before <delivery-id>', 'only deliveries before this one')
    .option('--limit <number>', 'maximum number', parseCount, 50)
    .action((id: string, options: BoardOptions & LogOptions) =>
      lend(options.board, async ({ db, board }) => {
        const { id: webhookId } = await requireWebhook(db.read, board.id, id);
        const rows = await listDeliveries(db.read, board.id, webhookId, {
          limit: options.limit,
          ...(options.state && { states: [options.state] }),
          ...(options.event !== undefined && { eventType: options.event }),
          ...(options.before !== undefined && { before: options.before }),
        });
        const table = rows.map((row) => ({
          id: row.id,
          event: row.event_type,
          state: deliveryStateOf(row),
          attempts: row.attempts,
          outcome: row.outcome ?? '',
          'next attempt': nextAttemptOf(row) ?? '',
        }));
        printList(terminal, options, rows.map(describeDelivery), table, 'No deliveries yet: try `webhook test`.');
      }),
    );

  withBoardOptions(webhook.command('replay'))
    .description('replay one delivery, or all missed ones with --missed')
    .argument('<id>', 'id of the delivery; with --missed, of the webhook')
    .option('--missed', 'all deliveries that were given up or skipped')
    .addOption(
      new Option('--since <date>', 'with --missed: only events since this date')
        .argParser(parseSince)
        .default(0, 'all'),
    )
    .action((id: string, options: BoardOptions & { missed?: boolean; since: number }) =>
      lend(options.board, async (_, webhooks) => {
        if (options.missed) {
          const count = await webhooks.replayMissed(id, options.since);
          print(
            terminal,
            options,
            { replayed: count },
            `${quantity(count, 'delivery', 'deliveries')} will be replayed, in order.`,
          );
        } else {
          const delivery = await webhooks.replay(id);
          print(terminal, options, describeDelivery(delivery), `${delivery.id} will be replayed.`);
        }
      }),
    );
}

/** Another `create --enable` after one that failed would leave a second webhook. */
async function requireNoOtherTry({ db, board }: RequestContext, url: string, kind: WebhookKind): Promise<void> {
  const shown = isChat(kind) && URL.canParse(url) ? maskUrl(url) : url;
  const tried = (await listWebhooks(db.read, board.id)).find((row) => row.url === shown && row.state === 'disabled');
  if (tried) {
    throw new Error(
      `There is already a disabled webhook with this URL: enable it with \`webhook enable ${tried.id}\`, or remove it with \`webhook delete ${tried.id}\``,
    );
  }
}

type LogOptions = { state?: DeliveryRow['state']; event?: string; before?: string; limit: number };

function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= 1_000) return count;
  throw new InvalidArgumentError('It must be a number from 1 to 1000.');
}

function parseSince(text: string): number {
  const instant = parseDay(text) ?? parseInstant(text);
  if (instant !== null) return instant;
  throw new InvalidArgumentError('It must be a date such as 2026-11-21 or 2026-11-21T09:30:00Z.');
}
