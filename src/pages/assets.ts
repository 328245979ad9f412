import { globSync, readFileSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance } from 'fastify';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Files under this path have a hash of their content in their name. */
const HASHED = '/assets/';

/**
 * Serves the files of a built client. Only files that are there at the start have an address, so no path can lead
 * elsewhere. The Brotli form that the build has left beside a file goes to those who take it.
 */
export function serveAssets(app: FastifyInstance, folder: string): void {
  for (const file of globSync('**/*', { cwd: folder }).map((path) => path.split(sep).join('/'))) {
    const type = TYPES[extname(file)];
    if (!type) continue;
    const plain = readFileSync(join(folder, file));
    const brotli = readOr(join(folder, `${file}.br`));
    const url = `/${file}`;
    app.get(url, async (request, reply) => {
      reply.type(type).header('vary', 'accept-encoding');
      reply.header('cache-control', url.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'max-age=3600');
      const takesBrotli = brotli && /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
      if (!takesBrotli) return reply.send(plain);
      return reply.header('content-encoding', 'br').send(brotli);
    });
  }
}

function readOr(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
