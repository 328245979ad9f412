import { extname } from 'node:path';

/**
 * A file or folder of the package, whether this runs from the sources or from `dist/`.
 * @param path from the root of the package
 */
export function packageFile(path: string): URL {
  return new URL(path, import.meta.resolve('#package.json'));
}

/**
 * A module that is loaded by name at run time: next to the file that needs it, or next to the program in `dist/`, where
 * `scripts/build-server.ts` puts it.
 * @param name without its ending
 * @param from `import.meta.url` of that file
 */
export function moduleBeside(name: string, from: string): URL {
  return new URL(`${name}${extname(from)}`, from);
}
