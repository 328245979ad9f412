import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Visit } from './visit.ts';

/** Answers one request for a page. */
export type Respond = (request: Request, visit: Visit) => Promise<Response>;

/** The pages: built ones, or in development those of Vite. */
export type Pages = {
  /** Gives what answers; the first call of built pages reads them. */
  load(): Promise<Respond>;
  /** The folder with what the browser gets; null when another user serves it. */
  clientFolder: string | null;
  /** In development, what the browser gets comes from here, file by file, and may change. */
  developmentServer: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | null;
};

const build = fileURLToPath(new URL('../../web/build/', import.meta.url));

/** The pages as `npm ci` has built them; null when they are not built. */
export function findBuiltPages(): Pages | null {
  const server = `${build}server/index.js`;
  if (!existsSync(server)) return null;
  let loading: Promise<{ respond: Respond }> | null = null;
  return {
    clientFolder: `${build}client`,
    developmentServer: null,
    // Read with the first page and not with the start: a worker never needs them.
    async load() {
      loading ??= import(pathToFileURL(server).href);
      return (await loading).respond;
    },
  };
}
