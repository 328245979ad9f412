// Builds what is published: the JavaScript with its types, and the license.
import { spawnSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';

rmSync('dist', { recursive: true, force: true });
copyFileSync('../LICENSE', 'LICENSE');
const { status } = spawnSync(process.execPath, ['../node_modules/typescript/bin/tsc', '-p', '.'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
