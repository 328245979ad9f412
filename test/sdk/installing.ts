import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

export const SDK = fileURLToPath(new URL('../../sdk/', import.meta.url));
export const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));

/** Packs the client as it is published and installs it into an empty project, whose folder is returned. */
export function installClient(): { project: string; packed: string[] } {
  const project = mkdtempSync(join(tmpdir(), 'earshot-client-'));
  after(() => rmSync(project, { recursive: true, force: true }));
  const [{ filename, files }] = JSON.parse(npm(project, 'pack', SDK, '--json'));
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
  npm(project, 'install', `./${filename}`, '--offline', '--no-audit', '--no-fund');
  return { project, packed: files.map(({ path }: { path: string }) => path) };
}

function npm(cwd: string, ...args: string[]): string {
  const shell = process.platform === 'win32';
  return execFileSync('npm', args, { cwd, shell, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The JavaScript of a document, block by block. */
export function readBlocks(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^```js\n(.*?)^```$/gms)].map(([, code = '']) => code);
}

/** Runs a program in a folder. @returns what it printed */
export function run(cwd: string, command: readonly string[], env: Record<string, string> = {}): Promise<string> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env } });
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      written[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(written.stdout);
      else reject(new assert.AssertionError({ message: `${command.join(' ')}\n${written.stdout}${written.stderr}` }));
    });
  });
}
