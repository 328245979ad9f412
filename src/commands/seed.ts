import { type Command, InvalidArgumentError } from 'commander';
import type { BoardCall, Call } from '../call.ts';
import { createComment } from '../comments/writing.ts';
import { DAY_MS } from '../lib/clock.ts';
import { createPost } from '../posts/creating.ts';
import { createUser, type UserRow } from '../users/users.ts';
import { vote } from '../votes/votes.ts';
import { makeSamplePost, type SamplePost, samplePeople } from './sample.ts';
import { type Environment, withBoard } from './store.ts';
import { type OutputOptions, print, type Terminal } from './terminal.ts';

const YEAR_MS = 365 * DAY_MS;
const MAX_POSTS = 1_000_000;

/** `seed`: realistic sample data, the same on every run. */
export function addSeed(program: Command, env: Environment, terminal: Terminal): void {
  program
    .command('seed')
    .description('fill a board with sample people, posts, votes and comments; running it again adds nothing twice')
    .option('--posts <number>', `how many posts, at most ${MAX_POSTS.toLocaleString('en')}`, parseCount, 1_000)
    .option('--board <pid>', 'which board (default: the first)')
    .option('--json', 'print one JSON object')
    .action((options: OutputOptions & { posts: number; board?: string }) =>
      withBoard(env, options.board, async (call) => {
        const added = await seed(call, options.posts, progressOn(process.stderr));
        const words = `Added ${added} posts to ${call.board.name}; ${options.posts - added} were there already.`;
        print(terminal, options, { board: call.board.pid, posts: options.posts, added }, words);
      }),
    );
}

/** Adds sample posts that are not there yet and gives their number. */
async function seed(call: BoardCall, posts: number, progress: (done: number, all: number) => void): Promise<number> {
  const actor = await createUser(call, { ssoType: 'SAMPLE', ssoId: 'seed' }, { name: 'Sample data', isApiUser: true });
  const people: UserRow[] = [];
  for (const [n, name] of samplePeople.entries()) {
    people.push(await createUser(call, { ssoType: 'SAMPLE', ssoId: String(n) }, { name }));
  }
  let added = 0;
  for (let n = 0; n < posts; n++) {
    if (await addPost({ ...call, actor }, n, people)) added++;
    progress(n + 1, posts);
  }
  return added;
}

/** Adds the nth sample post with its votes and comments; false when it is there. */
async function addPost(call: Call, n: number, people: readonly UserRow[]): Promise<boolean> {
  const sample: SamplePost = makeSamplePost(n);
  const personRef = (index: number) => ({ id: people[index]?.id });
  const post = await createPost(call, {
    title: sample.title,
    comment: sample.text,
    author: personRef(sample.author),
    dateCreated: call.clock.now() - Math.floor(sample.age * YEAR_MS),
    externalId: `sample-${n}`,
    isSample: true,
  });
  if (post.upvotes > 0 || post.comment_count > 0) return false;
  await Promise.all(sample.voters.map((voter) => vote(call, post.id, 'UP', personRef(voter))));
  for (const comment of sample.comments) {
    await createComment(call, post.id, { text: comment.text, author: personRef(comment.author) });
  }
  return true;
}

/** Shows how far it is on a terminal, and nothing in a log. */
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
