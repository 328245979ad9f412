import type { Command } from 'commander';
import type { Environment } from '../store.ts';
import type { Terminal } from '../terminal.ts';

import { addChanging } from './changing.ts';
import { addCreate } from './create.ts';
import { addDeliveries } from './deliveries.ts';
import { makeLend } from './lending.ts';
import { addShowing } from './showing.ts';

/** `webhook create|update|enable|disable|delete|list|show|test|deliveries|replay`. */
export function addWebhook(program: Command, env: Environment, terminal: Terminal): void {
  const webhook = program.command('webhook').description('manage webhooks; see docs/webhooks.md');
  const lend = makeLend(env);
  addCreate(webhook, lend, terminal);
  addChanging(webhook, lend, terminal);
  addShowing(webhook, lend, terminal);
  addDeliveries(webhook, lend, terminal);
}
