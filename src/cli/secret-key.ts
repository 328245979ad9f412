import type { Command } from 'commander';
import { replaceStoreKey } from '../platform/db/key-check.ts';
import { type Environment, withStore } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `secret-key accept`: for a store whose key is lost. */
export function addSecretKey(program: Command, env: Environment, terminal: Terminal): void {
  const secretKey = program.command('secret-key').description('manage the key that encrypts secrets in the store');
  secretKey
    .command('accept')
    .description(
      'accept the configured key after the previous one was lost; what the lost key encrypted stays unreadable',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions) =>
      withStore(env, async ({ db, config }) => {
        await replaceStoreKey(db, config);
        const words =
          'The store now uses this key. Enter the secrets of its webhooks again, and ask users to set up two-factor authentication again.';
        print(terminal, options, { accepted: true }, words);
      }),
    );
}
