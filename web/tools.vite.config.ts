import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const folder = fileURLToPath(new URL('build/tools', import.meta.url));

/** Builds the playground and the sandbox, separately from the other pages: GraphiQL does not run on the server. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Files refer to each other by relative paths, so that the server may be reached under any path.
  base: './',
  publicDir: false,
  // Its warnings are about directives in other people's packages.
  logLevel: 'error',
  plugins: [precompress(join(folder, 'assets'))],
  worker: { format: 'es' },
  build: {
    outDir: folder,
    emptyOutDir: true,
    manifest: true,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Monaco is one large piece by nature; a test checks the budget.
    chunkSizeWarningLimit: 5_000,
    rolldownOptions: { input: { playground: 'playground/main.tsx', sandbox: 'sandbox/main.tsx' } },
  },
});
