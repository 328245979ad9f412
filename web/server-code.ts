import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);

/**
 * What pages import from `#src/` stays outside of the server bundle, so that there is one instance of each module, and
 * must not come into what browsers load: there it is taken out with the loader or action that uses it, or the build fails.
 */
export function serverCode(): Plugin {
  return {
    name: 'server-code',
    enforce: 'pre',
    resolveId(source) {
      if (!source.startsWith('#src/')) return null;
      if (this.environment.name === 'client') return { id: `\0client:${source}`, moduleSideEffects: false };
      // The built server lies below package.json, which says where `#src/` is; the development server does not.
      const isBuilt = this.environment.mode === 'build';
      return { id: isBuilt ? source : pathToFileURL(require.resolve(source)).href, external: true };
    },
    load(id) {
      // Without an export to find, any use that is left is an error of the build.
      return id.startsWith('\0client:') ? 'export {};' : null;
    },
  };
}
