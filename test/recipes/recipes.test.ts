import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** How many files a recipe may take. */
const limits = {
  'A column of a post': 6,
  'A query': 1,
  'An event': 5,
  'A kind of mail': 5,
  'A page of the settings': 4,
  'The wording of an error': 1,
  'A language': 1,
};

/** What the types of the client have once the recipes have been followed. */
const TYPED = `import type { EventData } from '../../sdk/src/event-types.ts';
import type { Post } from '../../sdk/src/schema.ts';

export const quarters: [Post['quarter'], EventData['post.deleted']['post']['quarter']] = ['2027-Q1', null];
`;

/** A block of code of a recipe, and what to do with it. */
type Step = { file: string; how: 'new' | 'after' | 'instead of' | 'at the end'; line: string; code: string };

test('the recipes of CONTRIBUTING.md, followed word for word, give what they promise in as many files', (t) => {
  const copy = copySources();
  t.after(() => rmSync(copy, { recursive: true, force: true }));
  const recipes = readRecipes();
  for (const [name, limit] of Object.entries(limits)) {
    const { steps, commands } = recipes.get(name) ?? assert.fail(`There is no recipe “${name}”`);
    for (const step of steps) follow(copy, step);
    for (const command of commands) run(copy, 'sh', '-c', command);
    const files = new Set([...steps.map(({ file }) => file), ...commands.map((command) => command.split(' ').at(-1))]);
    assert.ok(files.size > 0 && files.size <= limit, `${name}: ${[...files].join(', ')}`);
  }
  const node = process.execPath;
  writeFileSync(join(copy, 'test/recipes/typed.ts'), TYPED);
  run(copy, node, 'scripts/print-schema.ts');
  run(copy, node, 'scripts/build-web.ts');
  run(copy, node, 'node_modules/typescript/bin/tsc');
  run(copy, node, 'node_modules/typescript/bin/tsc', '-p', 'web');
  const tests = [
    'recipes/followed.ts',
    'house/catalogues.test.ts',
    'model/model.test.ts',
    'contracts/arguments/texts.test.ts',
  ];
  run(copy, 'env', 'MODEL_STEPS=30', node, 'test/run.ts', ...tests.map((file) => `test/${file}`));
});

/** The sources with their packages, without what git does not keep. */
function copySources(): string {
  const copy = mkdtempSync(join(tmpdir(), 'earshot-recipes-'));
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  const files = stdout
    .split('\0')
    .filter((file) => /^(package\.json|tsconfig\.json|(src|test|scripts|web|bench|sdk|integrations)\/)/.test(file));
  assert.ok(files.length > 0);
  for (const file of files) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');
  return copy;
}

/** The recipes by their headings. */
function readRecipes(): Map<string, { steps: Step[]; commands: string[] }> {
  const document = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const sections = document.split(/^### /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [name = ''] = section.split('\n', 1);
      const block = /^`([^`]+)`, (new|after|instead of|at the end)(?: `([^`]+)`)?[^`\n]*:\n\n```\w+\n([\s\S]*?)^```$/gm;
      const steps = [...section.matchAll(block)].map(([, file = '', how, line = '', code = '']) => ({
        file,
        how: how as Step['how'],
        line,
        code,
      }));
      const commands = [...section.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, command = '']) => command);
      assert.equal(steps.length + commands.length, section.match(/^```\w+$/gm)?.length ?? 0, name);
      return [name, { steps, commands }];
    }),
  );
}

function follow(copy: string, { file, how, line, code }: Step): void {
  const path = join(copy, file);
  const lines = how === 'new' ? [] : readFileSync(path, 'utf8').split('\n');
  const at = how === 'new' || how === 'at the end' ? lines.length : lines.indexOf(line);
  assert.notEqual(at, -1, `${file} has no line “${line}”`);
  lines.splice(how === 'after' ? at + 1 : at, how === 'instead of' ? 1 : 0, code.trimEnd());
  writeFileSync(path, `${lines.join('\n').trimEnd()}\n`, { flag: how === 'new' ? 'wx' : 'w' });
}

/** Runs a program in the copy, as if it was run by hand. @throws with what it printed when it fails */
function run(copy: string, program: string, ...args: string[]): void {
  const { TEST_TEMPLATE_DATABASE: _, TEST_TEMPLATE_FOLDER: __, NODE_TEST_CONTEXT: ___, ...env } = process.env;
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: copy, env, encoding: 'utf8', maxBuffer: 1e8 });
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}${stderr}`);
}
