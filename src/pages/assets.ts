import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { serveBuiltFiles } from '../platform/http/built-files.ts';
import { packageFile } from '../platform/installed.ts';
import { chooseEncoding, compress, type Encoding } from './compression.ts';

/** A text of the build, such as the list of its files, with the addresses of files below a prefix. */
export function filesBelow(prefix: string, text: string): string {
  return text.replaceAll('"/assets/', `"${prefix}/assets/`);
}

/**
 * Serves the list by which pages find the files of other pages, for a server below a prefix. It is the only built file for
 * browsers with such addresses that nothing completes: scripts and styles name each other by relative paths.
 */
export function serveManifest(app: FastifyInstance, folder: string, prefix: string): void {
  for (const file of globSync('assets/manifest-*.js', { cwd: folder })) {
    const plain = Buffer.from(filesBelow(prefix, readFileSync(join(folder, file), 'utf8')));
    const encoded = new Map<Encoding, Promise<Buffer>>();
    app.get(`/${file}`, async ({ headers }, reply) => {
      reply.type('text/javascript; charset=utf-8').header('vary', 'accept-encoding');
      reply.header('cache-control', 'public, max-age=31536000, immutable');
      const encoding = chooseEncoding(headers['accept-encoding'], true);
      if (encoding === null) return reply.send(plain);
      const made = encoded.get(encoding) ?? compress(plain, encoding);
      encoded.set(encoding, made);
      return reply.header('content-encoding', encoding).send(await made);
    });
  }
}

/** Where `npm run build:widget` puts the scripts. */
const WIDGET_FOLDER = fileURLToPath(packageFile('web/build/widget'));

/** Serves `/widget.js` and `/vote.js`, which pages of any site may load, also those that isolate themselves. */
export function widgetRoute(app: FastifyInstance): void {
  app.addHook('onRequest', (_, reply, done) => {
    reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin');
    done();
  });
  serveBuiltFiles(app, WIDGET_FOLDER);
}
