import type { AuthorView } from '../requests/people.ts';

/** A user whom a text can mention. */
export type Mention = AuthorView & { id: string };

/** Users that a page knows for suggestions, and that it shows at a time. */
export const SUGGESTIONS = 300;
const SHOWN = 6;

/** What may be the beginning of a mention before the caret: where it begins, and the letters after the @. */
export type Begun = { start: number; words: string };

const BEGUN = /(?:^|[^\p{L}\p{N}_@./+[\\-])@([^\s@][^@\n]{0,40})?$/u;

/** The mention that is being typed, if there is one. */
export function findBegun(text: string, caret: number): Begun | null {
  const found = BEGUN.exec(text.slice(Math.max(0, caret - 50), caret));
  if (!found) return null;
  const words = found[1] ?? '';
  return { start: caret - words.length - 1, words };
}

/** The users whose name, or a word of it, begins with the letters. */
export function suggest(people: readonly Mention[], { words }: Begun): Mention[] {
  const sought = words.toLowerCase();
  const isLike = (name: string) => name.startsWith(sought) || name.includes(` ${sought}`);
  return people.filter(({ name }) => isLike(name.toLowerCase())).slice(0, SHOWN);
}

/** How a text mentions a user; by id where the name is not enough. */
export function writeMention(people: readonly Mention[], { id, name }: Mention): string {
  const isShared = people.some((other) => other.id !== id && other.name.toLowerCase() === name.toLowerCase());
  return isShared ? `[@${name}](user:${id})` : `@${name}`;
}
