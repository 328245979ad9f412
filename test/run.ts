import { spawn } from 'node:child_process';
import { startPostgres } from './support/postgres.ts';

/**
 * Runs the tests, all or the files named, beside a PostgreSQL server of their own. Options are those of `node --test`.
 * TEST_DATABASE_URL names another server to use instead: a user who may create databases.
 */
const isOption = (argument: string) => argument.startsWith('-');
const files = process.argv.slice(2).filter((argument) => !isOption(argument));
const options = process.argv.slice(2).filter(isOption);
const patterns = files.length > 0 ? files : ['src/**/*.test.ts', 'test/**/*.test.ts'];
const given = process.env.TEST_DATABASE_URL;
const postgres = given ? null : await startPostgres();
const args = ['--test', '--test-concurrency=2', '--test-reporter=spec', ...options, ...patterns];
const env = { ...process.env, TEST_DATABASE_URL: given ?? postgres?.url };
const tests = spawn(process.execPath, args, { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
process.exitCode = await new Promise<number>((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
await postgres?.remove();
