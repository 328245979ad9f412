import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { printNotices } from './notices.ts';
import { findShipped, type Shipped } from './shipped.ts';
import { compareVersions, isVersion, readNotes, readVersions, writeVersions } from './versions.ts';

/**
 * `npm run release -- 1.2.3`: makes a release of this checkout in `release/` and prints how to publish it, which it never
 * does itself. With `--dry-run` it only checks whether it can be made.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const target = join(root, 'release');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { 'dry-run': { type: 'boolean' } } });
  const [version = '', ...more] = positionals;
  if (more.length > 0 || !isVersion(version))
    throw new Error('Usage: npm run release -- <version> [--dry-run], with a version such as 1.2.3');
  const notes = requireReleasable(version);
  if (values['dry-run']) console.log(`Earshot ${version} can be released; without --dry-run, it is made in release/`);
  else makeRelease(version, notes);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** @returns the notes of the version. @throws if the checkout is not one from which it can be released */
function requireReleasable(version: string): string {
  const changed = run('git', 'status', '--porcelain');
  if (changed !== '') throw new Error(`Commit or remove what has changed first:\n${changed}`);
  const tags = run('git', 'tag', '--list', 'v*').split('\n');
  const released = tags.map((tag) => tag.slice(1)).filter(isVersion);
  const latest = released.sort(compareVersions).at(-1);
  if (latest && compareVersions(version, latest) <= 0)
    throw new Error(`${version} is not greater than ${latest}, which has been released (v${latest})`);
  const [[current = ''] = []] = Object.values(readVersions(root));
  if (compareVersions(version, current) < 0) throw new Error(`${version} is less than ${current} in package.json`);
  const notes = readNotes(read('CHANGELOG.md'), version);
  if (notes === null)
    throw new Error(`CHANGELOG.md must begin with its notes, under the heading "## ${version} — ${today()}"`);
  const schema = readdirSync(join(root, 'src/platform/db/migrations')).sort().at(-1)?.replace('.ts', '');
  const row = `| ${version} | \`${schema}\` |`;
  if (!read('docs/upgrading.md').includes(row))
    throw new Error(`The table of versions in docs/upgrading.md needs a row that begins with: ${row}`);
  return notes;
}

function makeRelease(version: string, notes: string): void {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target);
  writeVersions(root, version);
  const isChanged = run('git', 'status', '--porcelain') !== '';
  // Builds what is packed: npm runs the scripts `prepare` and `prepack`.
  run('npm', 'pack', '.', './sdk', '--pack-destination', 'release');
  const built = JSON.parse(run(process.execPath, 'dist/main.js', 'version', '--json')).version;
  if (built !== version) throw new Error(`dist/ was built as ${built}`);
  const shipped = findShipped(root);
  const write = (name: string, text: string) => writeFileSync(join(target, name), text);
  write('NOTES.md', `# Earshot ${version}\n\n${notes}\n`);
  write('THIRD-PARTY-NOTICES.md', printNotices(root, version, shipped));
  write('sbom.cdx.json', `${JSON.stringify(makeSbom(shipped), null, 2)}\n`);
  const files = readdirSync(target).sort();
  write('SHA256SUMS', files.map((name) => `${sha256(join(target, name))}  ${name}\n`).join(''));
  console.log(describe(version, [...files, 'SHA256SUMS'], isChanged));
}

type Component = { 'bom-ref': string; name: string; version: string; scope: string; properties: { name: string }[] };
type Sbom = {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
};

/** What npm lists, without what is used only for development. Of that, what the pages are built of is part of the release. */
function makeSbom(shipped: readonly Shipped[]): Sbom {
  const all: Sbom = JSON.parse(run('npm', 'sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'));
  const isShipped = new Set(shipped.map(({ name, version }) => `${name}@${version}`));
  const components = all.components
    .filter(({ name, version }) => isShipped.has(`${name}@${version}`))
    .map((component) =>
      isForDevelopment(component) ? { ...component, scope: 'required', properties: [] } : component,
    );
  // npm takes the name of the folder.
  const component = { ...all.metadata.component, name: 'earshot' };
  const refs = new Set([component, ...components].map((item) => item['bom-ref']));
  const dependencies = all.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((other) => refs.has(other)) }));
  return { ...all, metadata: { ...all.metadata, component }, components, dependencies };
}

function isForDevelopment({ properties }: Component): boolean {
  return properties.some(({ name }) => name === 'cdx:npm:package:development');
}

function describe(version: string, files: readonly string[], isChanged: boolean): string {
  const sizes = files.map((name) => `  ${name} (${Math.ceil(statSync(join(target, name)).size / 1_000)} kB)`);
  const steps = [
    ...(isChanged ? [`git commit --all --message 'Release ${version}'`] : []),
    `git tag --annotate v${version} --message 'Earshot ${version}'`,
    'git push --follow-tags',
    `docker build --tag earshot:${version} .`,
    `npm publish release/earshot-${version}.tgz`,
    `npm publish release/earshot-client-${version}.tgz`,
  ];
  return `release/ has what is to be published of Earshot ${version}:
${sizes.join('\n')}

Nothing has been published. To do so, when npm run test:long passes:
${steps.map((step) => `  ${step}`).join('\n')}
  and publish all of release/ with the tag, NOTES.md as its text`;
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Runs a program in the checkout. @returns what it printed. @throws with all that it wrote if it fails */
function run(program: string, ...args: string[]): string {
  const shell = process.platform === 'win32' && program === 'npm';
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: root,
    shell,
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}
