import { reactRouter } from '@react-router/dev/vite';
import { defineConfig } from 'vite';
import { catalogues } from './i18n/plugin.ts';
import { serverCode } from './server-code.ts';

/** What all pages of a board show is one file: on its own each part would cost a request. */
const shared = {
  name: 'shared',
  test: /web\/(ui\/(form|may-write|plain-page|post-row|status|toast|vote|byline|prose)\.tsx|lib\/(forms|locale|next|list-query)\.ts)$/,
};

export default defineConfig(({ command }) => ({
  plugins: [serverCode(), catalogues(), reactRouter()],
  // Fonts and pictures inside of CSS would need `data:` in the Content-Security-Policy. These browsers know light-dark(),
  // which older ones would get as a construction that does not work within a page.
  build: { manifest: true, assetsInlineLimit: 0, cssTarget: ['chrome123', 'firefox120', 'safari17.5'] },
  environments: {
    client: { build: { rolldownOptions: { output: { codeSplitting: { groups: [shared] } } } } },
    ssr: { build: { rollupOptions: { input: './server.ts' } } },
  },
  // The built server carries its packages with it, so that running it needs none of them.
  ...(command === 'build' && {
    ssr: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}));
