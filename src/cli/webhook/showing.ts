import type { Command } from 'commander';
import { countAttempts, withLastSuccess } from '../../webhooks/log/statistics.ts';
import { eventsOf } from '../../webhooks/webhook/filters.ts';
import { isTroubled } from '../../webhooks/webhook/health.ts';
import { healthOf } from '../../webhooks/webhook/health-columns.ts';
import { listWebhooks, requireWebhook } from '../../webhooks/webhook/webhooks.ts';
import { type BoardOptions, formatInstant, printList, type Terminal, withBoardOptions } from '../terminal.ts';
import type { Lend } from './lending.ts';
import { finish, formatFailures, toJson } from './output.ts';

/** `webhook list|show`. */
export function addShowing(webhook: Command, lend: Lend, terminal: Terminal): void {
  withBoardOptions(webhook.command('list'))
    .description('list the webhooks of a board')
    .action((options: BoardOptions) =>
      lend(options.board, async ({ db, board, clock }) => {
        const rows = await withLastSuccess(db.read, await listWebhooks(db.read, board.id));
        const counts = await countAttempts(db.read, board.id, clock.now());
        const table = rows.map((row) => ({
          id: row.id,
          host: row.host,
          state: isTroubled(healthOf(row)) ? 'many failures' : row.state,
          'failed in 24 h': formatFailures(counts.get(row.id)),
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
}
