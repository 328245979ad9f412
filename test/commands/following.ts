import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { onEnd } from '../support/cleanup.ts';
import type { CommandLine } from '../support/command-line.ts';
import { exported } from '../support/exported.ts';
import { PATIENCE_MS, until } from '../support/until.ts';
import type { Idea, Played } from './follow-sources.ts';

const main = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Starts `import --follow` in a process of its own. */
export function startFollowing(t: TestContext, line: CommandLine, { from, key }: Played, url: string) {
  const args = [main, 'import', url, '--from', from, '--follow', '--every', '1s'];
  const child = spawn(process.execPath, args, { env: { ...line.env, ...key } });
  onEnd(t, () => child.kill('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = once(child, 'close') as Promise<[status: number | null]>;
  return { child, ended, output: () => output };
}

/** The ideas of the board, without official answers. */
export async function ideasHere(line: CommandLine): Promise<Idea[]> {
  const rows = await exported(line);
  return rows
    .filter(({ row }) => row === 'post')
    .map(({ id, title, text, status, upvoteCount }) => ({
      title: String(title),
      text: String(text ?? ''),
      isDone: (status as { name: string }).name === 'Completed',
      votes: Number(upvoteCount),
      comments: rows.flatMap((row) =>
        row.row === 'comment' && row.postId === id && row.type === 'BASIC' ? String(row.text) : [],
      ),
    }));
}

const inOrder = (ideas: readonly Idea[]) =>
  ideas.map(({ comments, ...idea }) => JSON.stringify([idea, comments.toSorted()])).sort();

/** Waits until the board has the ideas of the other one. @throws AssertionError with what differs */
export async function untilEqual(what: string, line: CommandLine, ideas: () => readonly Idea[]): Promise<void> {
  const isEqual = async () => inOrder(await ideasHere(line)).join() === inOrder(ideas()).join();
  try {
    await until(what, isEqual, 2 * PATIENCE_MS, 1_000);
  } catch {
    assert.deepEqual(inOrder(await ideasHere(line)), inOrder(ideas()), what);
  }
}
