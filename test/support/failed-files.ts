import type { TestEvent } from 'node:test/reporters';

/** A reporter of `node --test` that writes the file of each test that fails, a line each. */
export default async function* failedFiles(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of source) if (type === 'test:fail' && data.file) yield `${data.file}\n`;
}
