// Builds what is published: the types with their documentation, the JavaScript without it, and the license.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
copyFileSync('../LICENSE', 'LICENSE');
for (const options of [['--emitDeclarationOnly'], ['--declaration', 'false', '--removeComments']]) {
  const args = ['../node_modules/typescript/bin/tsc', '-p', '.', ...options];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  process.exitCode ||= status ?? 1;
}
