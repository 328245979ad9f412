import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { serve } from '../src/cli/serve.ts';
import type { Pages, Respond } from '../src/pages/pages.ts';

/** `npm run dev`: the server with pages that change in the browser as their files change. Vite serves them at the root only. */
if (URL.parse(process.env.BASE_URL ?? '')?.pathname.replace(/\/+$/, '')) {
  console.error('BASE_URL: it has a path, which npm run dev does not serve; leave the path out, or run npm start');
  process.exit(1);
}
const root = fileURLToPath(new URL('../web', import.meta.url));
const vite = await createServer({ root, appType: 'custom', configLoader: 'native', server: { middlewareMode: true } });
const pages: Pages = {
  clientFolder: null,
  developmentServer: vite.middlewares,
  load: async () => (await vite.ssrLoadModule('./server.ts')).respond as Respond,
};
await serve(process.env, { out: console.log, error: console.error }, pages);
await vite.close();
