import { existsSync, globSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Writes out the list of migrations, which the sources read from their folder when they run. */
const migrations: Plugin = {
  name: 'migrations',
  load(id) {
    if (id !== join(root, 'src/platform/db/all-migrations.ts')) return null;
    const files = readdirSync(join(root, 'src/platform/db/migrations')).filter((file) => file.endsWith('.ts'));
    const imports = files.sort().map((file, n) => `import * as m${n} from './migrations/${file}';`);
    return `${imports.join('\n')}\nexport const migrations = [${files.map((_, n) => `m${n}`)}];`;
  },
};

/**
 * Builds the program into `dist/`, with the pages and every package in it, which starts in half the time of the sources
 * (docs/decisions/0026-built-server.md). `npm ci` runs it, and so do the tests before they begin.
 * @throws if something cannot be resolved
 */
export async function buildServer(): Promise<void> {
  const build = await rolldown({
    cwd: root,
    input: {
      main: 'src/main.ts',
      // What is loaded by name, see `moduleBeside`.
      'slow-worker': 'src/platform/db/slow-worker.ts',
      'upgrade-port': 'src/cli/upgrade-port.ts',
      markdown: 'src/platform/texts/markdown.ts',
    },
    platform: 'node',
    // With native code of its own, and optional.
    external: ['sharp', 'pg-native'],
    plugins: [migrations],
    // A package of Koa names functions that are deprecated with it.
    checks: { eval: false },
    logLevel: 'warn',
  });
  await build.write({ dir: 'dist', cleanDir: true, chunkFileNames: '[name]-[hash].js' });
  await build.close();
}

/**
 * What the built server is made of: when one of these is newer, it has to be built again. The folder of migrations is, too,
 * when one of them goes, which no other file would tell.
 */
const PARTS = [
  'src/**/*.{ts,json}',
  'src/platform/db/migrations',
  'web/build/**/*.{js,json}',
  'scripts/build-server.ts',
  'package{,-lock}.json',
];

/** Builds the program as `buildServer` does, unless what it is made of is older than the one that is there. */
export async function buildServerIfChanged(): Promise<void> {
  const built = join(root, 'dist/main.js');
  const since = existsSync(built) ? statSync(built).mtimeMs : 0;
  const isNewer = (file: string) => statSync(join(root, file)).mtimeMs > since;
  if (PARTS.some((part) => globSync(part, { cwd: root }).some(isNewer))) await buildServer();
}

if (import.meta.main) {
  await buildServer();
  console.log('Built the server');
}
