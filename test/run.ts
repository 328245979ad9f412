import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildServer } from '../scripts/build-server.ts';
import { startPostgres } from './support/postgres.ts';
import { makeTemplates } from './support/templates.ts';

/**
 * Runs the tests, all or the files named, beside a PostgreSQL server of their own. Options are those of `node --test`, and
 * `--long`, with which random, crash and cluster runs go on for long (`roundsOf`).
 * TEST_DATABASE_URL names another server to use instead: a user who may create databases.
 */
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/** Files that share a process. */
const GROUP = 12;
const LONG = ['src/**/*.random.test.ts', 'test/{crash,examples,hostile,model,sdk}/*.test.ts'];
const { values = [], options = [] } = Object.groupBy(process.argv.slice(2), (given) =>
  given.startsWith('-') ? 'options' : 'values',
);
const isLong = options.includes('--long');
const patterns = values.length > 0 ? values : isLong ? LONG : ALL;
const files = patterns.flatMap(requireFiles).sort();
await buildServer();
const given = process.env.TEST_DATABASE_URL;
const postgres = given ? null : await startPostgres();
const server = given ?? postgres?.url ?? '';
const templates = await makeTemplates(server);
// Hundreds of processes load the same modules, and most of that time is compiling them.
const folder = mkdtempSync(join(tmpdir(), 'earshot-run-'));
const args = [
  '--test',
  '--test-concurrency=2',
  '--test-reporter=spec',
  ...options.filter((option) => option !== '--long'),
  ...grouped([...new Set(files)]),
];
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...templates.env,
  ...(isLong && { TEST_LONG: '1' }),
  TEST_DATABASE_URL: server,
  NODE_COMPILE_CACHE: folder,
};
const tests = spawn(process.execPath, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
process.exitCode = await new Promise<number>((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
rmSync(folder, { recursive: true, force: true });
await templates.remove();
await postgres?.remove();

/** The files of a pattern. Without one, Node would look for tests itself and run all. */
function requireFiles(pattern: string): string[] {
  const found = globSync(pattern);
  if (found.length > 0) return found;
  console.error(`No test file matches ${pattern}`);
  process.exit(1);
}

/**
 * Tests in `src` and of contracts run in the process of the server that they test, and loading it takes longer than most
 * files of them: some of these files share a process. The others each have their own, whose memory they may measure.
 */
function grouped(files: readonly string[]): string[] {
  const inProcess = files.filter((file) => /^(src|test\/contracts)\//.test(file));
  const groups = Map.groupBy(inProcess, (file) => Math.floor(inProcess.indexOf(file) / GROUP));
  const written = [...groups].map(([n, group]) => {
    const name = join(folder, `group-${n}.test.mjs`);
    writeFileSync(name, group.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)))};\n`).join(''));
    return name;
  });
  return [...written, ...files.filter((file) => !inProcess.includes(file))];
}
