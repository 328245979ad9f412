import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { serveBuiltFiles } from '../platform/http/built-files.ts';
import { packageFile } from '../platform/installed.ts';

/** Where `npm run build:widget` puts the script. */
const WIDGET_FOLDER = fileURLToPath(packageFile('web/build/widget'));

/** Serves `/widget.js`, which pages of any site may load, also those that isolate themselves. */
export function widgetRoute(app: FastifyInstance): void {
  app.addHook('onRequest', (_, reply, done) => {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    done();
  });
  serveBuiltFiles(app, WIDGET_FOLDER);
}
