import type { Command } from 'commander';
import { migrations } from '../platform/db/all-migrations.ts';
import { VERSION } from '../platform/version.ts';
import type { Environment } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `version`: what this program is. It reads no settings and no store. */
export function addVersion(program: Command, _: Environment, terminal: Terminal): void {
  program
    .command('version')
    .description(
      'print the version of this program, of the Node.js that runs it, and the newest migration of the schema that it has; ' +
        'a running server shows its version at /healthz',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => {
      const schema = migrations.at(-1)?.name ?? '';
      const node = process.versions.node;
      print(
        terminal,
        options,
        { version: VERSION, node, schema },
        `Earshot ${VERSION}, Node.js ${node}, schema ${schema}`,
      );
    });
}
