import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const folder = fileURLToPath(new URL('build/tools', import.meta.url));

/** Builds the playground and the sandbox, separately from the other pages: GraphiQL does not run on the server. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Files refer to each other by relative paths, so that the server may be reached under any path.
  base: './',
  publicDir: false,
  // Its warnings are about directives in other people's packages.
  logLevel: 'error',
  plugins: [precompress()],
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

/** Writes a Brotli version next to every text file: compressing once, well, is better than for every request. */
function precompress(): Plugin {
  const compress = promisify(brotliCompress);
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const assets = join(folder, 'assets');
      const texts = readdirSync(assets).filter((file) => ['.js', '.css'].includes(extname(file)));
      await Promise.all(
        texts.map(async (file) => {
          const bytes = readFileSync(join(assets, file));
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
          writeFileSync(join(assets, `${file}.br`), await compress(bytes, { params }));
        }),
      );
    },
  };
}
