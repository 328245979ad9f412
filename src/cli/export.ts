import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, Option } from 'commander';
import { operator } from '../identity/users/authority.ts';
import { type ExportFormat, exportBoard, exportFormats } from '../operations/exports/export.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { makeProgressBar } from './progress.ts';
import { type Environment, withBoard } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

type ExportCommand = OutputOptions & {
  format: ExportFormat;
  out?: string;
  comments: boolean;
  votes: boolean;
  board?: string;
};

/** `export`: everything on a board, as a file or on standard output. */
export function addExport(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('export')
    .description('export all posts of a board, including team-only content; the server may be running')
    .addOption(new Option('--format <format>', 'output format').choices(exportFormats).default('csv'))
    .option('--out <file>', 'output file (default: standard output); appears once it is complete')
    .option('--comments', 'include comments', false)
    .option('--votes', 'include votes', false)
    .option('--board <pid>', 'board to use (default: the first)')
    .option('--json', 'with --out: print JSON')
    .action((options: ExportCommand) =>
      withBoard(env, options.board, async (context) => {
        const { format, comments, votes, out } = options;
        const bar = makeProgressBar(process.stderr, context.board.post_count, 'posts');
        let posts = 0;
        const onProgress = (done: number) => {
          posts = done;
          bar.show(done);
        };
        const content = { format, comments, votes, viewer: operator, onProgress };
        const text = Readable.from(exportBoard(context, content), { objectMode: false });
        await (out === undefined ? writeToStandardOutput(text) : writeToFile(text, out)).finally(() => bar.end());
        if (out === undefined) return;
        print(terminal, options, { file: out, posts }, `Exported ${quantity(posts, 'post', 'posts')} to ${out}.`);
      }),
    );
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
