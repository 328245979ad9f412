import type { Command } from 'commander';
import { VERSION } from '../platform/version.ts';
import type { Environment } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

/** `upgrade`: what to do for a newer version. It changes nothing, and asks no one. */
export function addUpgrade(program: Command, _: Environment, terminal: Terminal): void {
  program
    .command('upgrade')
    .description('say how to get a newer version; it changes nothing itself')
    .option('--json', 'print JSON')
    .action((options: OutputOptions) => {
      const steps = [
        'Read "What to do when upgrading" in the notes of the new version.',
        'Back up: earshot backup <file>. Migrations only go forward: the backup is the way back.',
        'Get the new version: npm install --global ./earshot-<version>.tgz, or npx with the new file, or build the new image, or git pull and npm ci.',
        'Restart the server with the same DATA_DIR or DATABASE_URL: it upgrades the store before it serves. /healthz shows the step.',
      ];
      const words = steps.map((step, n) => `${n + 1}. ${step}`);
      const text = `This is Earshot ${VERSION}.\n\n${words.join('\n')}\n\nWithout downtime on PostgreSQL, and the way back: docs/upgrading.md`;
      print(terminal, options, { version: VERSION, steps }, text);
    });
}
