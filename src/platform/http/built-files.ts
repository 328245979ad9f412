import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.woff2': 'font/woff2',
};

/** Files in such a folder have a hash of their content in their name. */
const HASHED = 'assets/';

/**
 * Serves the files of a built folder below a path, and caches requested ones in memory. Only files that exist at
 * startup have a URL, so no path can lead elsewhere. Clients that accept it get the Brotli version that the build has
 * written next to a file.
 */
export function serveBuiltFiles(app: FastifyInstance, folder: string, path = '/'): void {
  const files = new Set(globSync('**/*', { cwd: folder }).map((file) => file.split(sep).join('/')));
  const known = new Map<string, Buffer>();
  const send = async (file: string, request: FastifyRequest, reply: FastifyReply) => {
    const type = TYPES[extname(file)];
    if (!type || !files.has(file)) return reply.callNotFound();
    reply.type(type).header('vary', 'accept-encoding');
    reply.header('cache-control', file.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'max-age=3600');
    const isBrotli = files.has(`${file}.br`) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (isBrotli) reply.header('content-encoding', 'br');
    const form = isBrotli ? `${file}.br` : file;
    const bytes = known.get(form) ?? (await readFile(join(folder, form)));
    known.set(form, bytes);
    return reply.send(bytes);
  };
  // A route for each of two hundred files would take longer than opening the store.
  const [hashed = [], others = []] = [true, false].map((is) =>
    [...files].filter((file) => file.startsWith(HASHED) === is),
  );
  if (hashed.length > 0) {
    app.get<{ Params: { '*': string } }>(`${path}${HASHED}*`, (request, reply) =>
      send(HASHED + request.params['*'], request, reply),
    );
  }
  for (const file of others) app.get(path + file, (request, reply) => send(file, request, reply));
}
