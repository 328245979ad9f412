import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const folder = fileURLToPath(new URL('build/widget', import.meta.url));

/** Builds `widget.js`, for pages of other sites: one plain script that leaves no names there. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  logLevel: 'error',
  plugins: [precompress(folder)],
  build: {
    outDir: folder,
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    lib: { entry: 'widget/widget.ts', formats: ['iife'], name: 'earshotWidget', fileName: () => 'widget.js' },
  },
});
