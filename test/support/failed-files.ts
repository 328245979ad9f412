import type { TestEvent } from 'node:test/reporters';

/** Newer versions of Node name the file that a process has begun with, too. */
type Failed = { file?: string; entryFile?: string };

/**
 * A reporter of `node --test` that writes the file to run again for each test that fails, a line each. A test that a helper has
 * defined for many files names the helper, which has no tests itself: then it is the file that the process has begun with.
 */
export default async function* failedFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) {
    if (type !== 'test:fail') continue;
    const { file, entryFile }: Failed = data;
    const again = file?.endsWith('.test.ts') ? file : (entryFile ?? file);
    if (again) yield `${again}\n`;
  }
}
