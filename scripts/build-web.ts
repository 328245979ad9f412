import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { compileCatalogues } from '../web/i18n/compile.ts';

/** Builds the pages into web/build, with the Brotli form of each file beside it; `npm ci` runs it. */
const root = fileURLToPath(new URL('..', import.meta.url));
const client = fileURLToPath(new URL('../web/build/client/', import.meta.url));

compileCatalogues();
for (const part of ['client', 'server'])
  rmSync(new URL(`../web/build/${part}`, import.meta.url), { recursive: true, force: true });
const tool = 'node_modules/@react-router/dev/bin.cjs';
const args = [tool, 'build', 'web', '--logLevel', 'warn'];
const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
if (status === 0) {
  const files = globSync('**/*.{js,css,svg}', { cwd: client }).map((file) => client + file);
  await Promise.all(files.map(async (file) => writeFileSync(`${file}.br`, await compressBest(readFileSync(file)))));
  console.log(`Built the pages: ${files.length} files`);
} else {
  console.error(`The pages could not be built\n${stdout}${stderr}`);
  process.exitCode = 1;
}

/** The smallest of a few ways: which one it is, differs by up to 300 bytes as the hashes in a file happen to be. */
async function compressBest(bytes: Buffer): Promise<Buffer> {
  const compress = promisify(brotliCompress);
  const ways = [16, 17, null].map((block) =>
    compress(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        ...(block !== null && { [constants.BROTLI_PARAM_LGBLOCK]: block }),
      },
    }),
  );
  return (await Promise.all(ways)).reduce((best, one) => (one.length < best.length ? one : best));
}
