import { fileURLToPath } from 'node:url';
import { reactRouter } from '@react-router/dev/vite';
import { defineConfig, type Plugin } from 'vite';
import { catalogues, placedMessages } from './i18n/plugin.ts';
import { compileIcons } from './icons/compile.ts';
import { serverCode } from './server-code.ts';

/** The components of all board pages are one file: separately, each would cost a request. */
const shared = {
  name: 'shared',
  test: /web\/(parts\/\w+\/(avatar|byline|form|kept-form|header|icon|language-choice|markdown-area|menu|outbox-place|plain-page|sentence|time|toast)\.tsx|posts\/(may-write|row|status|tag|votes\/vote-button)\.tsx|posts\/(expected|live)\.ts|(lib|parts\/\w+)\/(forms|hues|kept-form|list-query|load-part|locale|next|not-saved|outbox|picture|prefix)\.ts)$/,
};

/** What shows texts is one file as well, on pages that have any; and so is an idea, on its page and in triage. */
const texts = { name: 'texts', test: /web\/parts\/texts\/(prose|file-list)\.tsx$/ };
const story = { name: 'story', test: /web\/(post\/(story|panel|notes)|comments\/form|parts\/show\/picker)\.tsx$/ };
/** What asks for an idea is one file on the list; the team's tools and settings load it for what they share with it. */
const asking = { name: 'asking', test: /web\/(posts\/(list\/new-idea|idea-fields)|parts\/show\/narrowing)\.tsx$/ };

/** The list of all routes, which every page has, names most files: seven characters tell the versions of one file apart. */
const shortNames = {
  entryFileNames: 'assets/[name]-[hash:7].js',
  chunkFileNames: 'assets/[name]-[hash:7].js',
};

/** Writes the file of icons before anything imports it. */
const icons = { name: 'earshot-icons', buildStart: () => compileIcons() };

/** Parts that are loaded later wait for a server that is silent, and link to their styles themselves. */
const patientImports: Plugin = {
  name: 'patient-imports',
  enforce: 'pre',
  load: (id) =>
    id.includes('vite/preload-helper')
      ? `export { loadImport as __vitePreload } from ${JSON.stringify(fileURLToPath(new URL('lib/load-part.ts', import.meta.url)))};`
      : undefined,
};

const routeModule = fileURLToPath(new URL('lib/route-module.ts', import.meta.url));

/** The router's own function takes the page away when the server does not answer (`web/lib/route-module.ts`). */
const patientRoutes: Plugin = {
  name: 'patient-routes',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/lib/dom/ssr/routeModules.js')
      ? `export { loadRouteModule } from ${JSON.stringify(routeModule)};`
      : undefined,
};

/** Styles name fonts relative to themselves, because the server may be reached under any path. */
const relativeFonts: Plugin = {
  name: 'relative-fonts',
  enforce: 'post',
  generateBundle(_, bundle) {
    for (const [name, file] of Object.entries(bundle))
      if (file.type === 'asset' && name.endsWith('.css'))
        file.source = String(file.source).replaceAll('url(/assets/', 'url(./');
  },
};

export default defineConfig(({ command }) => ({
  plugins: [
    patientImports,
    patientRoutes,
    serverCode(),
    catalogues(),
    placedMessages(),
    icons,
    relativeFonts,
    reactRouter(),
  ],
  // Fonts and pictures inside of CSS would need `data:` in the Content-Security-Policy. These browsers support
  // light-dark(); for older ones it would be replaced by a construction that does not work within a page.
  build: {
    manifest: true,
    // Each import gets the names of its files, for `patientImports`.
    modulePreload: { polyfill: false, resolveDependencies: (file, deps) => [...new Set([file, ...deps])] },
    assetsInlineLimit: 0,
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
  },
  environments: {
    client: {
      build: {
        rolldownOptions: { output: { ...shortNames, codeSplitting: { groups: [shared, texts, story, asking] } } },
      },
    },
    ssr: { build: { rollupOptions: { input: './server.ts' } } },
  },
  // The built server includes its packages, so running it needs none of them.
  ...(command === 'build' && {
    ssr: { noExternal: true as const },
    define: { 'process.env.NODE_ENV': '"production"' },
  }),
}));
