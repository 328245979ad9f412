import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { operator } from '../identity/users/authority.ts';
import { type ExportFormat, exportBoard, exportFormats } from '../operations/exports/export.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { writeSite } from './export-site.ts';
import { makeProgressBar } from './progress.ts';
import { type Environment, withBoard } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

type ExportCommand = OutputOptions & {
  format: ExportFormat;
  out?: string;
  site?: string;
  url?: string;
  comments: boolean;
  votes: boolean;
  bom: boolean;
  board?: string;
};

/** `export`: everything on a board, as a file or on standard output; or what is public of it, as a site. */
export function addExport(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('export')
    .description('export all posts of a board, including team-only content; the server may be running')
    .addOption(new Option('--format <format>', 'output format').choices(exportFormats).default('csv'))
    .option('--out <file>', 'output file (default: standard output); appears once it is complete')
    .option('--comments', 'include comments', false)
    .option('--votes', 'include votes', false)
    .option('--bom', 'begin CSV with a byte order mark, for Excel', false)
    .addOption(
      new Option(
        '--site <folder>',
        'instead, write what is public as a site of static files; run it again to update the site',
      ).conflicts(['format', 'out', 'comments', 'votes', 'bom']),
    )
    .option('--url <url>', 'with --site: where it will be served, for search engines and feeds', parseSiteUrl)
    .option('--board <pid>', 'board to use (default: the first)')
    .option('--json', 'with --out or --site: print JSON')
    .action(async (options: ExportCommand) => {
      if (options.site !== undefined) return exportAsSite(env, terminal, { ...options, site: options.site });
      if (options.url !== undefined) throw new Error('--url needs --site');
      await withBoard(env, options.board, async (context) => {
        const { format, comments, votes, bom, out } = options;
        const bar = makeProgressBar(process.stderr, context.board.post_count, 'posts');
        let posts = 0;
        const onProgress = (done: number) => {
          posts = done;
          bar.show(done);
        };
        const hasByteOrderMark = bom && format === 'csv';
        const content = { format, comments, votes, hasByteOrderMark, viewer: operator, onProgress };
        const text = Readable.from(exportBoard(context, content), { objectMode: false });
        await (out === undefined ? writeToStandardOutput(text) : writeToFile(text, out)).finally(() => bar.end());
        if (out === undefined) return;
        print(terminal, options, { file: out, posts }, `Exported ${quantity(posts, 'post', 'posts')} to ${out}.`);
      });
    });
}

async function exportAsSite(
  env: Environment,
  terminal: Terminal,
  options: ExportCommand & { site: string },
): Promise<void> {
  const { site } = options;
  const result = await writeSite(env, options);
  const { posts, written, removed } = result;
  const words = `Exported ${quantity(posts, 'post', 'posts')} to ${site}: ${written} written, ${removed} removed.`;
  print(terminal, options, { folder: site, ...result }, words);
}

/** A URL that ends with a slash, to which paths are added. */
function parseSiteUrl(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be https://example.com/feedback/.');
  return url.origin + url.pathname.replace(/\/?$/, '/');
}

/** A reader that stops early, such as `head`, ends the export, which is not an error. */
async function writeToStandardOutput(text: Readable): Promise<void> {
  await pipeline(text, process.stdout, { end: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

async function writeToFile(text: Readable, file: string): Promise<void> {
  const part = `${file}.part`;
  try {
    await pipeline(text, createWriteStream(part, { flush: true }));
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
