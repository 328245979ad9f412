import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { settings } from '../../src/platform/config.ts';
import { onEnd } from '../support/cleanup.ts';
import { findFreePort } from '../support/postgres.ts';
import { until } from '../support/until.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** An instruction of the Dockerfile, with its arguments as they are. */
type Instruction = { name: string; text: string };

/** The stages of the Dockerfile: what is done in each, one after the other. */
function readStages(): Instruction[][] {
  const lines = read('Dockerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const instructions = lines.map((line) => ({ name: line.split(' ')[0] ?? '', text: line.replace(/^\S+ /, '') }));
  const stages: Instruction[][] = [];
  for (const instruction of instructions) {
    if (instruction.name === 'FROM') stages.push([]);
    else stages.at(-1)?.push(instruction);
  }
  return stages;
}

/** Whether the ignore file lets a file through: of the lines that match it or a folder above it, the last decides. */
function isLetThrough(file: string, lines: readonly string[]): boolean {
  const isAt = (pattern: string) => pattern === '*' || file === pattern || file.startsWith(`${pattern}/`);
  const last = lines.findLast((line) => isAt(line.replace(/^!/, '')));
  return last === undefined || last.startsWith('!');
}

/** A folder with what the build is sent: the files of the project that the ignore file lets through. */
function makeContext(folder: string): string {
  const context = join(folder, 'context');
  const lines = read('.dockerignore').split('\n').filter(Boolean);
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  for (const file of files.split('\n')) {
    if (file === '' || !isLetThrough(file, lines) || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(context, file)), { recursive: true });
    cpSync(join(root, file), join(context, file));
  }
  return context;
}

type Lock = { packages: Record<string, unknown> };

/** What `npm ci` would install, as links to what is installed here. */
function linkPackages(app: string): void {
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  const names = Object.keys(packages).filter((path) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path));
  for (const name of names) {
    if (!existsSync(join(root, name))) continue;
    mkdirSync(dirname(join(app, name)), { recursive: true });
    symlinkSync(join(root, name), join(app, name));
  }
}

/** Carries out what makes files in a stage; `app` is its working folder. */
function buildStage(stage: readonly Instruction[], app: string, context: string, earlier: string): void {
  mkdirSync(app);
  for (const { name, text } of stage) {
    if (name === 'COPY') copy(text, app, context, earlier);
    else if (name === 'RUN' && text.startsWith('npm ci')) linkPackages(app);
    else if (name === 'RUN' && text.startsWith('node ')) {
      const { status, stdout, stderr } = spawnSync(process.execPath, text.split(' ').slice(1), {
        cwd: app,
        encoding: 'utf8',
      });
      assert.equal(status, 0, `${text}\n${stdout}${stderr}`);
    }
  }
}

function copy(text: string, app: string, context: string, earlier: string): void {
  const words = text.split(' ');
  const isFromStage = words[0]?.startsWith('--from=') ?? false;
  const sources = words.slice(isFromStage ? 1 : 0, -1);
  const target = words.at(-1) ?? '';
  for (const source of sources) {
    const from = isFromStage ? source.replace('/app', earlier) : join(context, source);
    assert.ok(existsSync(from), `COPY ${source}: it is not there`);
    const to = target.endsWith('/') ? join(app, target, source) : join(app, target);
    cpSync(from, to, { recursive: true, dereference: true });
  }
}

/** Starts what the image starts, and gives its address and what says whether it is healthy. */
async function startImage(t: TestContext, stage: readonly Instruction[], app: string) {
  const argumentsOf = (name: string): string[] => {
    const { text = '' } = stage.find((instruction) => instruction.name === name) ?? {};
    return JSON.parse(text.replace(/^.*?(?=\[)/, ''));
  };
  const port = await findFreePort();
  const env = { PATH: process.env.PATH ?? '', PORT: String(port), DATA_DIR: join(app, 'data') };
  const [, ...command] = argumentsOf('CMD');
  const [, ...check] = argumentsOf('HEALTHCHECK');
  const isHealthy = () => spawnSync(process.execPath, check, { env }).status === 0;
  assert.equal(isHealthy(), false, 'nothing is healthy before it has started');
  const child = spawn(process.execPath, command, { cwd: app, env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onEnd(t, async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { url: `http://127.0.0.1:${port}`, isHealthy };
}

test('the stages of the Dockerfile make a server that runs, of nothing but what the ignore file lets through', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-image-'));
  onEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const context = makeContext(folder);
  const [build = [], run = []] = readStages();
  const [built, app] = [join(folder, 'build'), join(folder, 'app')];
  buildStage(build, built, context, '');
  buildStage(run, app, context, built);

  const image = await startImage(t, run, app);
  await until('the server is healthy', image.isHealthy);
  await until('the server is ready', async () => (await fetch(`${image.url}/readyz`)).ok);
  const page = await (await fetch(image.url)).text();
  assert.match(page, /<html/);
  const script = /src="([^"]+\.js)"/.exec(page)?.[1] ?? /href="([^"]+\.js)"/.exec(page)?.[1];
  assert.equal((await fetch(`${image.url}${script}`)).status, 200);
  assert.match(await (await fetch(`${image.url}/api/v1/playground`)).text(), /<html/);
  const picture = /property="og:image" content="https?:\/\/[^/]+([^"]+)"/.exec(page)?.[1];
  const drawn = await fetch(`${image.url}${picture}`);
  assert.deepEqual([drawn.status, drawn.headers.get('content-type')], [200, 'image/png']);
  assert.match(readFileSync(join(app, 'THIRD-PARTY-NOTICES.md'), 'utf8'), /\| fastify \|.*\| react-dom \|/s);
  assert.ok(sizeOf(app) < MAX_BYTES, `${sizeOf(app)} bytes`);
});

/** Bytes of everything that an image adds to that of Node. */
const MAX_BYTES = 60_000_000;

function sizeOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}

test('compose.yaml passes every setting on that the image does not decide', () => {
  const passed = [...read('compose.yaml').matchAll(/^ {4,6}([A-Z_]+): /gm)].map(([, name]) => name);
  const ofImage = ['PORT', 'HOST', 'DATA_DIR'];
  const missing = Object.keys(settings).filter((name) => !passed.includes(name) && !ofImage.includes(name));
  assert.deepEqual(missing, []);
});
