import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { precompress } from './precompress.ts';

const folder = fileURLToPath(new URL('build/widget', import.meta.url));

/** Builds `vote.js`, the custom element for pages of other sites, beside the widget: one plain script that leaves no names there. */
export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  publicDir: false,
  logLevel: 'error',
  plugins: [precompress(folder)],
  build: {
    outDir: folder,
    emptyOutDir: false,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    lib: { entry: 'vote/vote.ts', formats: ['iife'], name: 'earshotVote', fileName: () => 'vote.js' },
  },
});
