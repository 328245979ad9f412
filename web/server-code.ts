import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const require = createRequire(import.meta.url);

/** What browsers get as well: modules that import nothing of the server. */
export const FOR_BROWSERS: ReadonlySet<string> = new Set([
  '#src/identity/board/brand.ts',
  '#src/pages/embeddable.ts',
  '#src/platform/lib/instant.ts',
  '#src/platform/texts/normal-form.ts',
]);

/**
 * Imports of pages from `#src/` stay outside the server bundle, so that there is one instance of each module, and must
 * not get into the files for browsers, but for a few: there they are removed with the loader or action that uses them, or
 * the build fails.
 */
export function serverCode(): Plugin {
  return {
    name: 'server-code',
    enforce: 'pre',
    resolveId(source) {
      if (!source.startsWith('#src/')) return null;
      if (this.environment.name === 'client' && FOR_BROWSERS.has(source)) return require.resolve(source);
      if (this.environment.name === 'client') return { id: `\0client:${source}`, moduleSideEffects: false };
      // The built server is below package.json, which defines `#src/`; the development server is not.
      const isBuilt = this.environment.mode === 'build';
      return { id: isBuilt ? source : pathToFileURL(require.resolve(source)).href, external: true };
    },
    load(id) {
      // Without an export to find, any remaining use fails the build.
      return id.startsWith('\0client:') ? 'export {};' : null;
    },
  };
}
