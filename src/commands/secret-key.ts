import type { Command } from 'commander';
import { replaceStoreKey } from '../db/key-check.ts';
import { type Environment, withStore } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `secret-key accept`: for a store whose key is lost. */
export function addSecretKey(program: Command, env: Environment, terminal: Terminal): void {
  const secretKey = program.command('secret-key').description('the key that encrypts the secrets in the store');
  secretKey
    .command('accept')
    .description('go on with the present key when the former one is lost: what that has encrypted stays unreadable')
    .option('--json', 'print one JSON object')
    .action((options: OutputOptions) =>
      withStore(env, async ({ db, config }) => {
        await replaceStoreKey(db, config);
        const words =
          'The store goes on with this key. Enter the secrets of its webhooks anew, and have people set up their second factors again.';
        print(terminal, options, { accepted: true }, words);
      }),
    );
}
