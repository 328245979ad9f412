import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** Writes a Brotli version next to every text file: compressing once, well, is better than for every request. */
export function precompress(folder: string): Plugin {
  const compress = promisify(brotliCompress);
  return {
    name: 'precompress',
    apply: 'build',
    async closeBundle() {
      const texts = readdirSync(folder).filter((file) => ['.js', '.css'].includes(extname(file)));
      await Promise.all(
        texts.map(async (file) => {
          const bytes = readFileSync(join(folder, file));
          const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
          writeFileSync(join(folder, `${file}.br`), await compress(bytes, { params }));
        }),
      );
    },
  };
}
