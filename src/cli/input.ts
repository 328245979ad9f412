import { createReadStream } from 'node:fs';

/**
 * The text of a file that a command names, or of standard input for `-`. Of one that is longer than `maxBytes`, no more is
 * read than shows that.
 * @throws Error if it cannot be read
 */
export async function readInput(path: string, maxBytes: number): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  // A pipe has its bytes when the program that writes to it has them: reading it at once would fail.
  for await (const part of path === '-' ? process.stdin : createReadStream(path)) {
    parts.push(part);
    length += part.length;
    if (length > maxBytes) break;
  }
  return Buffer.concat(parts).toString('utf8');
}
