import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildServerIfChanged } from '../scripts/build-server.ts';
import { unpackChromium } from './support/chromium.ts';
import { startPostgres } from './support/postgres.ts';
import { makeTemplates } from './support/templates.ts';

// Runs the tests of behavior, or the files named, beside a PostgreSQL server of their own. Options are those of `node --test`,
// `--slow`, which runs the other tests, and `--long`, which runs those in full: random and crash runs go on for long
// (`roundsOf`), and pages are looked at in every size and theme.
// TEST_DATABASE_URL names another server to use instead, with a user who may create databases.

const ALL = ['src/**/*.test.ts', 'test/**/*.test.ts'];
/**
 * What starts, kills and floods servers, plays at random for long, or stands between us and people, nearly all that needs a
 * browser, what reads or writes whole stores, and the recipes.
 */
const SLOW = [
  '{src,test}/**/*.random.test.ts',
  'src/platform/db/{migrate,postgres-replica,postgres-servers}.test.ts',
  'src/platform/http/slow-takers.test.ts',
  'src/operations/{check,copy,exports/site}/**/*.test.ts',
  'src/pages/{import,import-tables,links}.test.ts',
  'src/webhooks/delivery/half-there.test.ts',
  'test/{authority,commands,crash,examples,field,hostile,lasting,model,recipes,release,sdk}/**/*.test.ts',
  'test/browser/!(discussion|joining).test.ts',
  'test/contracts/{answer-size,arguments/ids,examples,traces}.test.ts',
];
/** Processes at the same time: four on two cores, too, because many tests wait for a clock or another process. */
const CONCURRENCY = Math.max(4, availableParallelism());
/** How many files share a process, by their kind: loading the server takes longer than most files of tests. */
const KINDS: readonly { pattern: RegExp; files: number }[] = [
  { pattern: /^(src|test\/(authority|commands|contracts|field|house|reference))\//, files: 12 },
  { pattern: /^test\/browser\//, files: 6 },
  { pattern: /^test\/field\//, files: 6 },
  // These start processes of their own, and measure time and memory.
  { pattern: /./, files: 1 },
];
/** With more files than these, it is not the machine. */
const MAX_REPEATED = 5;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Bytes of memory that must be free for the stores of tests. */
const MIN_IN_MEMORY = 8 * 2 ** 30;

const { files: named = [], options = [] } = Object.groupBy(process.argv.slice(2), (given) =>
  given.startsWith('-') ? 'options' : 'files',
);
const OURS = ['--slow', '--long'];
const isLong = options.includes('--long');
const files = chooseFiles();
await buildServerIfChanged();
const chromium = process.env.CHROMIUM_PATH || !files.some(usesBrowser) ? null : await unpackChromium();
const fastFolder = findFastFolder();
if (fastFolder) process.env.TMPDIR ??= fastFolder;
const given = process.env.TEST_DATABASE_URL;
const postgres = given ? null : await startPostgres();
const server = given ?? postgres?.url ?? '';
const templates = await makeTemplates(server);
const folder = mkdtempSync(join(tmpdir(), 'earshot-run-'));
const env: NodeJS.ProcessEnv = {
  ...process.env,
  ...templates.env,
  ...(isLong && { TEST_LONG: '1' }),
  TEST_DATABASE_URL: server,
  ...(chromium && { CHROMIUM_PATH: chromium.path }),
  // All processes load the same modules, and most of that time is compiling them.
  NODE_COMPILE_CACHE: folder,
};
process.exitCode = await runTwice();
rmSync(folder, { recursive: true, force: true });
chromium?.remove();
await templates.remove();
await postgres?.remove();

/**
 * Runs all, and of a suite once more what has failed, one file at a time with nothing beside it: there it is a fault of
 * the project, and beside others also of a busy machine. Both are reported. Gives the exit code.
 */
async function runTwice(): Promise<number> {
  const first = await runTests(writeGroups(files), CONCURRENCY);
  const isSuite = named.length === 0 && !isLong;
  if (!isSuite || first.failed.length === 0 || first.failed.length > MAX_REPEATED) return first.code;
  const names = first.failed.map((file) => relative('.', file)).join(', ');
  console.log(`\nFailed beside others, and run again alone: ${names}\n`);
  const second = await runTests(first.failed, 1);
  if (second.code === 0) console.log(`\nUnstable, to be mended: failed beside others, passed alone: ${names}`);
  return second.code;
}

/** Runs files, and gives the exit code and those of them in which a test failed. */
async function runTests(paths: readonly string[], concurrency: number): Promise<{ code: number; failed: string[] }> {
  const list = join(folder, 'failed');
  const args = [
    `--import=${new URL('support/untracked.ts', import.meta.url)}`,
    '--test',
    `--test-concurrency=${concurrency}`,
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${new URL('support/failed-files.ts', import.meta.url)}`,
    `--test-reporter-destination=${list}`,
    ...options.filter((option) => !OURS.includes(option)),
    ...paths,
  ];
  const tests = spawn(process.execPath, args, { stdio: 'inherit', env });
  const stop = (signal: NodeJS.Signals) => tests.kill(signal);
  for (const signal of SIGNALS) process.on(signal, stop);
  const code = await new Promise<number>((done) => tests.once('exit', (status) => done(status ?? 1)));
  for (const signal of SIGNALS) process.off(signal, stop);
  const failed = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
  return { code, failed: [...new Set(failed)] };
}

/**
 * Where the stores of tests are, unless TMPDIR names a folder: in memory if there is room. Making and deleting the 300 files
 * of a database on a disk takes longer than most tests.
 */
function findFastFolder(): string | null {
  const folder = '/dev/shm';
  if (!existsSync(folder)) return null;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize > MIN_IN_MEMORY ? folder : null;
}

/** Files that are named, else those of the slow suite, or all others. */
function chooseFiles(): string[] {
  const list = (patterns: readonly string[]) => [...new Set(patterns.flatMap(requireFiles))].sort();
  if (named.length > 0) return list(named);
  const slow = new Set(list(SLOW));
  return OURS.some((option) => options.includes(option)) ? [...slow] : list(ALL).filter((file) => !slow.has(file));
}

/** Whether the tests of a file may start a browser; it takes seconds to unpack. */
function usesBrowser(file: string): boolean {
  return /(^|\/)test\/(browser|field|sdk)\//.test(file);
}

/** The files of a pattern. Given none, Node would look for tests itself and run all. */
function requireFiles(pattern: string): string[] {
  const found = globSync(pattern);
  if (found.length > 0) return found;
  console.error(`No test file matches ${pattern}`);
  process.exit(1);
}

/**
 * Writes the files that `node --test` starts, each as a process, in the order of their names: hence the numbers. Kinds
 * alternate, so that tests that wait run beside those that compute.
 */
function writeGroups(files: readonly string[]): string[] {
  const kindOf = (file: string) => KINDS.findIndex(({ pattern }) => pattern.test(file));
  const processes = KINDS.flatMap((kind, n) => {
    const groups = chunk(
      files.filter((file) => kindOf(file) === n),
      kind.files,
    );
    return groups.map((group, m) => ({ group, place: m / groups.length }));
  });
  return processes
    .sort((a, b) => a.place - b.place)
    .map(({ group }, n) => {
      const path = join(folder, `${String(n).padStart(3, '0')}.test.mjs`);
      writeFileSync(path, group.map((file) => `import ${JSON.stringify(pathToFileURL(resolve(file)))};\n`).join(''));
      return path;
    });
}

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
}
