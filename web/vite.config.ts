import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { catalogues } from './i18n/plugin.ts';

export default defineConfig(({ command }) => ({
  plugins: [catalogues(), reactRouter()],
  // Fonts and pictures inside of CSS would need `data:` in the Content-Security-Policy. These browsers know light-dark(),
  // which older ones would get as a construction that does not work within a page.
  build: { manifest: true, assetsInlineLimit: 0, cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
  environments: { ssr: { build: { rollupOptions: { input: './server.ts' } } } },
  // The built server carries its packages with it, so that running it needs none of them.
  ...(command === 'build' && {
    ssr: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}));
