import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { testCommandLine } from '../support/command-line.ts';
import { environmentFor, runCommand } from '../support/process.ts';
import { roundsOf } from '../support/rounds.ts';
import { makeSiteFolder, readSite } from '../support/site.ts';
import { makeStorePlace } from '../support/store.ts';

testCommandLine(
  'export --site writes a board as files, later only what is new, and reports what it wrote',
  async ({ run, json }, t) => {
    await run('board', 'create', '--name', 'Acme');
    await run('seed', '--posts', '3');
    const folder = join(makeSiteFolder(t), 'new', 'site');
    const url = 'https://example.com/feedback';
    assert.deepEqual(await json('export', '--site', folder, '--url', url), {
      folder,
      posts: 3,
      written: 3,
      removed: 0,
    });
    assert.match(
      readSite(folder).get('posts/1/index.html')?.toString() ?? '',
      /"https:\/\/example\.com\/feedback\/posts\/1\/"/,
    );
    const again = await run('export', '--site', folder, '--url', `${url}/`);
    assert.deepEqual(again, {
      status: 0,
      stdout: `Exported 3 posts to ${folder}: 0 written, 0 removed.\n`,
      stderr: '',
    });
  },
);

testCommandLine('export --site refuses what does not go together', async ({ run }, t) => {
  await run('board', 'create', '--name', 'Acme');
  const [folder, other] = [makeSiteFolder(t), makeSiteFolder(t)];
  writeFileSync(join(other, 'precious.txt'), 'Mine');
  const cases: [args: string[], status: number, error: RegExp][] = [
    [['--site', folder, '--out', 'x'], 2, /--site <folder>' cannot be used with option '--out <file>'/],
    [['--site', folder, '--votes'], 2, /cannot be used with option '--votes'/],
    [['--site', folder, '--url', 'ftp://example.com'], 2, /It must be https:\/\/example\.com\/feedback\/\./],
    [['--url', 'https://example.com'], 1, /--url needs --site/],
    [['--site', other], 1, /has files that are not of an export/],
  ];
  for (const [args, status, error] of cases) {
    const ended = await run('export', ...args);
    assert.equal(ended.status, status, args.join(' '));
    assert.match(ended.stderr, error);
  }
  assert.equal(readSite(folder).size, 0);
});

const MANY = roundsOf('SITE_POSTS', { short: 600, long: 5_000 });
/** Of a process that holds the program, the pages and a few posts; before there was a limit, 600 posts took 350. */
const MAX_MB = 270;

test(`export --site of ${MANY} posts takes no more memory than that of a few`, async (t) => {
  const env = environmentFor(await makeStorePlace(t, 'sqlite'));
  await runCommand(['board', 'create', '--name', 'Acme'], env);
  await runCommand(['seed', '--posts', String(MANY)], env);
  const told = "process.on('exit',()=>console.error('peak',process.resourceUsage().maxRSS))";
  const options = { ...env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(told)}` };
  const { status, stderr } = await runCommand(['export', '--site', makeSiteFolder(t)], options);
  assert.equal(status, 0, stderr);
  const peak = Math.round(Number(/peak (\d+)/.exec(stderr)?.[1]) / 1_024);
  t.diagnostic(`${peak} MB`);
  assert.ok(peak < MAX_MB, `${peak} MB`);
});
