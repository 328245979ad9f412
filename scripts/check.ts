import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Everything that can be said of the code without running the product: `npm run check`. */
const steps: [name: string, script: string, ...args: string[]][] = [
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['messages of the pages', 'web/i18n/compile.ts'],
  ['types', 'node_modules/typescript/bin/tsc'],
  ['types of the tools', 'node_modules/typescript/bin/tsc', '-p', 'web/tools.tsconfig.json'],
  ['types of the pages', 'node_modules/typescript/bin/tsc', '-p', 'web'],
  ['schema print', 'scripts/print-schema.ts', '--check'],
  ['imports and docs', '--test', '--test-reporter=dot', 'test/house/*.test.ts'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
for (const [name, ...args] of steps) {
  console.log(`check: ${name}`);
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`check: ${name} failed`);
    process.exit(1);
  }
}
