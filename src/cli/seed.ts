import { type Command, InvalidArgumentError } from 'commander';
import { seedBoard } from '../operations/sample/seed.ts';
import { quantity } from '../platform/lib/quantity.ts';
import { type Environment, withBoard } from './store.ts';
import { type BoardOptions, print, type Terminal, withBoardOptions } from './terminal.ts';

const MAX_POSTS = 1_000_000;

/** `seed`: realistic sample data, the same on every run. */
export function addSeed(program: Command, env: Environment, terminal: Terminal): void {
  withBoardOptions(
    program
      .command('seed')
      .description(
        'add sample users, posts, votes, comments and changelog entries to a board; running it again adds no duplicates',
      )
      .option('--posts <number>', `number of posts, at most ${MAX_POSTS.toLocaleString('en')}`, parseCount, 1_000),
  ).action((options: BoardOptions & { posts: number }) =>
    withBoard(env, options.board, async (context) => {
      const added = await seedBoard(context, options.posts, progressOn(process.stderr));
      const before = options.posts - added;
      const words = `Added ${quantity(added, 'post', 'posts')} to ${context.board.name}${before > 0 ? `; ${before.toLocaleString('en')} already existed` : ''}.`;
      print(terminal, options, { board: context.board.pid, posts: options.posts, added }, words);
    }),
  );
}

/** Shows progress on a terminal, and nothing in a log. */
function progressOn(stream: NodeJS.WriteStream): (done: number, all: number) => void {
  return (done, all) => {
    if (!stream.isTTY || (done % 100 !== 0 && done !== all)) return;
    stream.write(`\r${done.toLocaleString('en')} of ${all.toLocaleString('en')} posts${done === all ? '\n' : ''}`);
  };
}

function parseCount(text: string): number {
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MAX_POSTS) return count;
  throw new InvalidArgumentError(`It must be a number from 1 to ${MAX_POSTS.toLocaleString('en')}.`);
}
