// Builds what browsers load, and the program. Plain JavaScript: without development packages the Node that runs it may not know
// TypeScript, and there is nothing to build with.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const vite = 'node_modules/vite/bin/vite.js';

if (existsSync(`${root}${vite}`)) {
  await import('./build-web.ts');
  for (const part of ['tools', 'widget', 'vote']) {
    const args = [vite, 'build', '--config', `web/${part}.vite.config.ts`];
    const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
    process.exitCode ||= status ?? 1;
  }
  const { buildServer } = await import('./build-server.ts');
  await buildServer();
}
