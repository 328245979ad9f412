import { type Command, Option } from 'commander';
import type { Backlog } from '../../webhooks/managing/enabling.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from '../terminal.ts';
import type { Lend } from './lending.ts';
import { type ConfigOptions, madeSecrets, readFilters, readSecrets, withConfigOptions } from './options.ts';
import { finish, toJson } from './output.ts';

/** `webhook update|enable|disable|delete`. */
export function addChanging(webhook: Command, lend: Lend, terminal: Terminal): void {
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
