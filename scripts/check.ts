import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

type Step = readonly [name: string, script: string, ...args: string[]];

/** Writes what the steps below read. */
const MESSAGES: Step = ['messages of the pages', 'web/i18n/compile.ts'];

/** What can be said of the code without running the product. They need nothing of each other and run side by side. */
const STEPS: readonly Step[] = [
  ['types of the pages', ...types('web')],
  ['types', ...types('.')],
  ['types of the tools', ...types('web/tools.tsconfig.json')],
  ['imports and docs', '--test', '--test-reporter=dot', 'test/house/*.test.ts'],
  ['format and lint', 'node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  ['schema print', 'scripts/print-schema.ts', '--check'],
];

const root = fileURLToPath(new URL('..', import.meta.url));
const begun = performance.now();
const results = (await run(MESSAGES)) && (await Promise.all(STEPS.map(run)));
if (!results || results.includes(false)) process.exitCode = 1;

/** Checks the types of a project, but of what has not changed since the last time. */
function types(project: string): [script: string, ...args: string[]] {
  const known = `node_modules/.cache/types-${project.replace(/\W+/g, '-')}.json`;
  return ['node_modules/typescript/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', known];
}

/** Runs a step, and prints what it says once it has ended. @returns whether it passed */
async function run([name, ...args]: Step): Promise<boolean> {
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  const [[status], ...said] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const seconds = ((performance.now() - begun) / 1_000).toFixed(1);
  if (status === 0) console.log(`check: ${name} passed (${seconds} s)`);
  else console.error(`${said.join('')}check: ${name} failed`);
  return status === 0;
}
