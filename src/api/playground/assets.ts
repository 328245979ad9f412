import { createReadStream, existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

/** Where `npm run build:tools` puts the playground and the sandbox. */
export const TOOLS_FOLDER = fileURLToPath(new URL('../../../web/build/tools', import.meta.url));

/** The files that a page begins with, as paths below the folder. */
export type Entry = { scripts: readonly string[]; styles: readonly string[] };

type Manifest = Record<string, { file: string; css?: string[]; imports?: string[] }>;

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ttf': 'font/ttf',
};

/** The files of a page, its own script first; null while they are not built. */
export function findEntry(source: string, folder = TOOLS_FOLDER): Entry | null {
  const file = join(folder, '.vite', 'manifest.json');
  if (!existsSync(file)) return null;
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  const scripts = new Set<string>();
  const styles = new Set<string>();
  function add(name: string): void {
    const chunk = manifest[name];
    if (!chunk || scripts.has(chunk.file)) return;
    scripts.add(chunk.file);
    for (const imported of chunk.imports ?? []) add(imported);
    for (const style of chunk.css ?? []) styles.add(style);
  }
  add(source);
  return { scripts: [...scripts], styles: [...styles] };
}

/**
 * Serves the built files below `/tools/`. Their names carry their hash, so browsers keep them permanently; what was
 * compressed at build time is sent so.
 */
export function serveTools(app: FastifyInstance, folder = TOOLS_FOLDER): void {
  const files = new Set(globSync('assets/*', { cwd: folder }).map((file) => file.replaceAll('\\', '/')));
  app.get<{ Params: { '*': string } }>('/tools/*', async (request, reply) => {
    const name = request.params['*'];
    const type = TYPES[extname(name)];
    if (!type || !files.has(name)) return reply.callNotFound();
    const isBrotli = files.has(`${name}.br`) && /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    const path = join(folder, isBrotli ? `${name}.br` : name);
    if (isBrotli) reply.header('content-encoding', 'br');
    return reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .header('content-length', statSync(path).size)
      .type(type)
      .send(createReadStream(path));
  });
}
