import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from './support/postgres.ts';
import { makeTemplates } from './support/templates.ts';

/**
 * Runs the tests, all or the files named, beside a PostgreSQL server of their own. Options are those of `node --test`, and
 * `--long`, with which random, crash and cluster runs go on for long (`roundsOf`).
 * TEST_DATABASE_URL names another server to use instead: a user who may create databases.
 */
const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
const LONG = ['src/**/*.random.test.ts', 'test/{crash,examples,hostile,model}/*.test.ts'];
const { values = [], options = [] } = Object.groupBy(process.argv.slice(2), (given) =>
  given.startsWith('-') ? 'options' : 'values',
);
const isLong = options.includes('--long');
const patterns = values.length > 0 ? values : isLong ? LONG : ALL;
const given = process.env.TEST_DATABASE_URL;
const postgres = given ? null : await startPostgres();
const server = given ?? postgres?.url ?? '';
const templates = await makeTemplates(server);
const args = [
  '--test',
  '--test-concurrency=2',
  '--test-reporter=spec',
  ...options.filter((option) => option !== '--long'),
  ...patterns,
];
// Hundreds of processes load the same modules, and most of that time is compiling them.
const compiled = mkdtempSync(join(tmpdir(), 'earshot-compiled-'));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...templates.env,
  ...(isLong && { TEST_LONG: '1' }),
  TEST_DATABASE_URL: server,
  NODE_COMPILE_CACHE: compiled,
};
const tests = spawn(process.execPath, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
process.exitCode = await new Promise<number>((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
rmSync(compiled, { recursive: true, force: true });
await templates.remove();
await postgres?.remove();
