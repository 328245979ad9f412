import type { FastifyInstance } from 'fastify';
import { serveBuiltFiles } from '../../platform/http/built-files.ts';
import { prefixOf } from '../../platform/http/prefix.ts';
import { TOOLS_FOLDER } from './assets.ts';
import { makeToolPage } from './page.ts';

/** Serves the playground at `/api/v1/playground`, and the files that both tools are made of. */
export function playgroundRoute(app: FastifyInstance, { baseUrl }: { baseUrl: string }): void {
  const prefix = prefixOf(baseUrl);
  const sendPage = makeToolPage(
    {
      title: 'API playground',
      source: 'playground/main.tsx',
      withoutScript: `The playground needs JavaScript. The API itself is at <code>POST ${prefix}/api/v1/graphql</code>, its schema at
<a href="${prefix}/api/v1/schema.graphql">${prefix}/api/v1/schema.graphql</a>.`,
    },
    prefix,
  );
  serveBuiltFiles(app, TOOLS_FOLDER, '/tools/');
  app.get('/api/v1/playground', sendPage);
}
