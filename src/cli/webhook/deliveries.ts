import { type Command, InvalidArgumentError, Option } from 'commander';
import type { DeliveryRow } from '../../events/deliveries.ts';
import { eventTypes } from '../../feedback/event-log/event-types.ts';
import { parseDay, parseInstant } from '../../platform/lib/instant.ts';
import { quantity } from '../../platform/lib/quantity.ts';
import { listDeliveries } from '../../webhooks/log/log.ts';
import { deliveryStateOf, describeDelivery, describeTest, nextAttemptOf } from '../../webhooks/managing/describing.ts';
import { TEST_EVENT } from '../../webhooks/managing/test-event.ts';
import { requireWebhook } from '../../webhooks/webhook/webhooks.ts';
import { type BoardOptions, print, printList, type Terminal, withBoardOptions } from '../terminal.ts';
import type { Lend } from './lending.ts';

/** `webhook test|deliveries|replay`. */
export function addDeliveries(webhook: Command, lend: Lend, terminal: Terminal): void {
  addTest(webhook, lend, terminal);
  addLog(webhook, lend, terminal);
  addReplay(webhook, lend, terminal);
}

function addTest(webhook: Command, lend: Lend, terminal: Terminal): void {
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
}

function addReplay(webhook: Command, lend: Lend, terminal: Terminal): void {
  withBoardOptions(webhook.command('replay'))
    .description('replay one delivery, or all missed ones with --missed')
    .argument('<id>', 'id of the delivery; with --missed, of the webhook')
    .option('--missed', 'all deliveries that were given up, skipped, or wait for a retry')
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
