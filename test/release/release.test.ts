import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { migrations } from '../../src/platform/db/all-migrations.ts';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { isLong } from '../support/rounds.ts';
import { until } from '../support/until.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NEXT = '99.0.0';
const HEADING = `## ${NEXT} — 2099-12-31`;
const ROW = `| ${NEXT} | \`${migrations.at(-1)?.name}\` |`;
/** What may be built into the release, or come with it, without more than a notice. */
const PERMISSIVE = /^(MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|PSF-2\.0|Python-2\.0|OFL-1\.1)$/;

/** A checkout of the project as it is here, of which the next version can be released. */
const copy = mkdtempSync(join(tmpdir(), 'earshot-release-'));
after(() => rmSync(copy, { recursive: true, force: true }));
const git = (...args: string[]) => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  return execFileSync('git', [...identity, ...args], {
    cwd: copy,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
};
const read = (file: string) => readFileSync(join(copy, file), 'utf8');
const edit = (file: string, from: RegExp, to: string) => writeFileSync(join(copy, file), read(file).replace(from, to));

const sources = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' });
for (const file of sources.trim().split('\n')) {
  if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(copy, file));
}
git('init', '--quiet');
appendFileSync(join(copy, '.git/info/exclude'), 'node_modules\nweb/build\n');
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
if (!isLong) {
  // The pages take a minute.
  cpSync(join(ROOT, 'web/build'), join(copy, 'web/build'), { recursive: true });
  const build = "import { buildServer } from './build-server.ts';\n\nawait buildServer();\n";
  writeFileSync(join(copy, 'scripts/prepare.js'), build);
}
edit('CHANGELOG.md', /^## /m, `${HEADING}\n\n### What to do when upgrading\n\nNothing.\n\n## `);
edit('docs/upgrading.md', /^(\| Version \|.*\n\|.*\n)/m, `$1${ROW} all | all |\n`);
git('add', '.');
git('commit', '--quiet', '--message', 'Everything');

function release(...args: string[]) {
  const script = join(copy, 'scripts/release.ts');
  return spawnSync(process.execPath, [script, ...args], { cwd: copy, encoding: 'utf8' });
}

function refused(...args: string[]): string {
  const { status, stdout, stderr } = release(...args);
  assert.deepEqual([status, stdout], [1, ''], stderr);
  return stderr;
}

test('a version that cannot be released is refused with the reason', () => {
  for (const args of [[], ['v99.0.0'], ['99.0'], [NEXT, '99.0.1']]) assert.match(refused(...args), /^Usage: /);
  assert.match(refused('0.9.0'), /^0\.9\.0 is less than \d\S+ in package\.json/);
  assert.match(refused('99.0.1'), /^CHANGELOG\.md must begin with its notes, under the heading "## 99\.0\.1 — 20/);
  writeFileSync(join(copy, 'new.txt'), '');
  assert.match(refused(NEXT), /^Commit or remove what has changed first:\n\?\? new\.txt/);
  rmSync(join(copy, 'new.txt'));
  edit('docs/upgrading.md', /^\| 99\.0\.0 .*\n/m, '');
  git('commit', '--all', '--quiet', '--message', 'No row');
  assert.ok(refused(NEXT).includes(`needs a row that begins with: ${ROW}`));
  git('reset', '--quiet', '--hard', 'HEAD~');
  git('tag', 'v98.0.0');
  git('tag', 'v100.2.0');
  assert.match(refused(NEXT), /^99\.0\.0 is not greater than 100\.2\.0, which has been released \(v100\.2\.0\)/);
  git('tag', '--delete', 'v100.2.0');
});

test('a dry run reports that a version can be released, and changes nothing', () => {
  const { status, stdout } = release(NEXT, '--dry-run');
  assert.deepEqual(
    [status, stdout],
    [0, `Earshot ${NEXT} can be released; without --dry-run, it is made in release/\n`],
  );
  assert.equal(git('status', '--porcelain'), '');
  assert.equal(existsSync(join(copy, 'release')), false);
});

test('a release has the packages with the version, notes, licenses, SBOM and checksums of all, and publishes nothing', () => {
  const { status, stdout, stderr } = release(NEXT);
  assert.equal(status, 0, stderr);
  const sums = [...read('release/SHA256SUMS').matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm)].map(([, sum, name = '']) => ({
    sum,
    name,
  }));
  const packages = [`earshot-${NEXT}.tgz`, `earshot-client-${NEXT}.tgz`];
  const names = [...packages, 'NOTES.md', 'THIRD-PARTY-NOTICES.md', 'sbom.cdx.json'];
  assert.deepEqual(sums.map(({ name }) => name).sort(), names.sort());
  for (const { sum, name } of sums) {
    const bytes = readFileSync(join(copy, 'release', name));
    assert.equal(createHash('sha256').update(bytes).digest('hex'), sum, name);
    assert.ok(stdout.includes(`  ${name} (`), name);
  }

  // What runs, what it reads, and what people read; neither sources nor tests.
  const packed = listPacked(`earshot-${NEXT}.tgz`);
  assert.deepEqual(
    packed.filter(
      (file) =>
        !/^(dist|docs|deploy|examples|web\/(build\/(client|tools|widget)|i18n))\/|^[A-Z-]+(\.md)?$|^package\.json$/.test(
          file,
        ),
    ),
    [],
  );
  for (const file of ['dist/main.js', 'THIRD-PARTY-NOTICES.md', 'LICENSE', 'README.md', 'docs/api.md'])
    assert.ok(packed.includes(file), file);
  assert.ok(statSync(join(copy, 'release', `earshot-${NEXT}.tgz`)).size < 30_000_000);
  const client = listPacked(`earshot-client-${NEXT}.tgz`);
  assert.ok(
    client.includes('dist/index.js') &&
      client.every((file) => /^(dist\/.+|LICENSE|README\.md|package\.json)$/.test(file)),
  );
  for (const name of packages) {
    const manifest = JSON.parse(readPacked(name, 'package.json'));
    assert.equal(manifest.version, NEXT, name);
  }
  assert.match(run('dist/main.js', '--version'), new RegExp(`^${NEXT}\n$`));
  assert.equal(read('release/NOTES.md'), `# Earshot ${NEXT}\n\n### What to do when upgrading\n\nNothing.\n`);

  const changed = git('status', '--porcelain')
    .trim()
    .split('\n')
    .map((line) => line.trim());
  assert.deepEqual(
    changed,
    [
      'integrations/n8n/package-lock.json',
      'integrations/n8n/package.json',
      'integrations/vote/package.json',
      'package-lock.json',
      'package.json',
      'sdk/package.json',
      'server.json',
    ].map((file) => `M ${file}`),
  );
  assert.equal(git('tag').trim(), 'v98.0.0');
  assert.ok(
    stdout.includes(`\n  git commit --all --message 'Release ${NEXT}'\n  git tag --annotate v${NEXT} --message`),
  );
});

test('the package serves in an empty folder with nothing beside it but what npm installs with it', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-package-'));
  onEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  execFileSync('tar', ['-xzf', join(copy, 'release', `earshot-${NEXT}.tgz`), '-C', folder]);
  const { dependencies, bin } = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
  for (const name of [...Object.keys(dependencies), '@img', 'detect-libc', 'semver']) {
    const link = join(folder, 'package/node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), link);
  }
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  const port = String(await findFreePort());
  const env = { PATH: process.env.PATH ?? '', PORT: port };
  const server = spawn(process.execPath, [join(folder, 'package', bin.earshot)], { cwd: empty, env, stdio: 'ignore' });
  onEnd(t, () => void server.kill('SIGKILL'));
  const statusOf = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`).then(
      ({ status }) => status,
      () => null,
    );
  await until('it answers', async () => (await statusOf('/healthz')) === 200);
  for (const path of ['/b/feedback', '/b/feedback/picture.png', '/api/v1/playground', '/widget.js'])
    assert.equal(await statusOf(path), 200, path);
  assert.deepEqual(readdirSync(empty), ['data']);
});

test('SBOM and licenses name every package that the release has, none of which asks for more than a notice', () => {
  const sbom = JSON.parse(read('release/sbom.cdx.json'));
  assert.deepEqual(
    [sbom.bomFormat, sbom.metadata.component.name, sbom.metadata.component.version],
    ['CycloneDX', 'earshot', NEXT],
  );
  const listed = new Set(
    sbom.components.map((item: { name: string; version: string }) => `${item.name}@${item.version}`),
  );
  const rows = [...read('release/THIRD-PARTY-NOTICES.md').matchAll(/^\| (\S+) \| (\d\S*) \| (.+) \|$/gm)];
  assert.deepEqual([...listed].sort(), rows.map(([, name, version]) => `${name}@${version}`).sort());

  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { version: string; dev?: boolean }>;
  };
  for (const [path, { version, dev }] of Object.entries(packages)) {
    if (path !== '' && !dev) assert.ok(listed.has(`${path.replace(/^.*node_modules\//, '')}@${version}`), path);
  }
  // What the pages, the tools and the widget are built of is for development only, as npm sees it.
  for (const name of [
    'react-router',
    'graphiql',
    'monaco-editor',
    '@fontsource-variable/figtree',
    '@iconify-json/lucide',
  ]) {
    assert.ok(listed.has(`${name}@${packages[`node_modules/${name}`]?.version}`), name);
  }
  for (const name of ['fastify', 'graphql', 'mailauth', 'smtp-server'])
    assert.ok(listed.has(`${name}@${packages[`node_modules/${name}`]?.version}`), name);
  for (const name of ['vite', 'typescript', '@biomejs/biome', 'playwright-core', 'node']) {
    assert.ok(!listed.has(`${name}@${packages[`node_modules/${name}`]?.version}`), name);
  }
  for (const [, name = '', , license = ''] of rows) {
    // The libraries of sharp are files of their own, which may be exchanged.
    const isAllowed =
      name.startsWith('@img/') ||
      license.split(/ AND | OR |[()]/).every((part) => part === '' || PERMISSIVE.test(part));
    assert.ok(isAllowed, `${name}: ${license}`);
  }
});

function listPacked(name: string): string[] {
  const listed = execFileSync('tar', ['-tzf', join(copy, 'release', name)], { encoding: 'utf8' });
  return listed
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''))
    .sort();
}

function readPacked(name: string, file: string): string {
  return execFileSync('tar', ['-xzOf', join(copy, 'release', name), `package/${file}`], { encoding: 'utf8' });
}

function run(...args: string[]): string {
  return execFileSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
}
