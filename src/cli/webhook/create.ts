import type { Command } from 'commander';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { makeId } from '../../platform/lib/ids.ts';
import { guessKind, isChat, maskUrl, type WebhookKind } from '../../webhooks/chat/kinds.ts';
import { listWebhooks } from '../../webhooks/webhook/webhooks.ts';
import type { Terminal } from '../terminal.ts';
import type { Lend } from './lending.ts';
import {
  type ConfigOptions,
  madeSecrets,
  makeKindOption,
  readFilters,
  readSecrets,
  withConfigOptions,
} from './options.ts';
import { finish } from './output.ts';

/** `webhook create`. */
export function addCreate(webhook: Command, lend: Lend, terminal: Terminal): void {
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
