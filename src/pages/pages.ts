import { existsSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { packageFile } from '../platform/installed.ts';
import type { Visit } from './visit.ts';

/** Responds to one page request. */
export type Respond = (request: Request, visit: Visit) => Promise<Response>;

/** The pages: built ones, or in development those of Vite. */
export type Pages = {
  /** Returns the request handler; the first call loads the built pages. */
  load(): Promise<Respond>;
  /** The folder with the files for browsers; null if something else serves them. */
  clientFolder: string | null;
  /** In development, the files for browsers come from here, one by one, and may change. */
  developmentServer: ((request: IncomingMessage, response: ServerResponse, next: () => void) => void) | null;
};

const build = fileURLToPath(packageFile('web/build/'));

/** The pages as `npm ci` has built them; null when they are not built. */
export function findBuiltPages(): Pages | null {
  if (!existsSync(`${build}client`)) return null;
  let loading: Promise<{ respond: Respond }> | null = null;
  return {
    clientFolder: `${build}client`,
    developmentServer: null,
    // Loaded with the first page and not at startup: a worker never needs them.
    async load() {
      loading ??= import('#pages');
      return (await loading).respond;
    },
  };
}
