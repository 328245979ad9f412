import type { Plugin } from 'vite';
import { compileCatalogues, placeMessages } from './compile.ts';

/** Compiles the catalogues when a build begins, and again when one of them changes. */
export function catalogues(): Plugin {
  return {
    name: 'earshot-catalogues',
    buildStart: () => compileCatalogues(),
    handleHotUpdate({ file }) {
      if (/i18n\/\w+\.json$/.test(file)) compileCatalogues();
    },
  };
}

/**
 * Built scripts name messages by their place, `pagesText(12)` for `m.sortBy`. Browsers would else load the list of all
 * functions and their names, which weighs more than the texts that a page shows.
 */
export function placedMessages(): Plugin {
  let calls: ReadonlyMap<string, string>;
  return {
    name: 'earshot-placed-messages',
    apply: 'build',
    enforce: 'pre',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      calls = placeMessages();
    },
    transform(code) {
      const named = code.replace(
        /^import \* as m from '([^']*)\/messages\.ts';$/m,
        "import { pagesText, settingsText } from '$1/texts.ts';",
      );
      if (named === code) return null;
      return named.replace(/\bm\.(\w+)/g, (other, key: string) => calls.get(key) ?? other);
    },
  };
}
