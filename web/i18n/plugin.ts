import type { Plugin } from 'vite';
import { compileCatalogues } from './compile.ts';

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
