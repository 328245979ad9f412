/**
 * Says which texts in an answer people wrote, so that a model can tell them from what the server says. It stands beside the
 * texts and not in them, where another text could imitate it.
 * @param quotes paths, `posts.title` being the title of each post; those of a tool, see `Tool`
 */
export function mark(answer: object, quotes: readonly string[]): object {
  // A try has the same below `result`, and the states of what it would change.
  const all = [...quotes, ...quotes.map((path) => `result.${path}`), 'effects.changes'];
  const quoted = all.filter((path) => isThere(answer, path.split('.')));
  return quoted.length > 0 ? { ...answer, quotedFromPeople: quoted } : answer;
}

function isThere(value: unknown, [name, ...rest]: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((each) => isThere(each, name === undefined ? [] : [name, ...rest]));
  if (name === undefined) return value !== null && value !== undefined;
  return typeof value === 'object' && value !== null && isThere((value as Record<string, unknown>)[name], rest);
}

/** What a post shows that people wrote; its address has words of the title. */
export const QUOTED_POST = ['title', 'url', 'excerpt', 'status', 'tags', 'author'] as const;

/** These paths below a name. */
export function below(name: string, paths: readonly string[]): string[] {
  return paths.map((path) => `${name}.${path}`);
}

/** Runs of characters that no one sees, in which instructions can be hidden from people who look at a text before an agent does. */
const HIDDEN = /\p{Default_Ignorable_Code_Point}{8,}/gu;
/** Unicode's tags, an invisible alphabet: models read what is written in it. Only the flags of regions, such as Wales, need it. */
const TAGS = /(\u{1f3f4}[\u{e0030}-\u{e007a}]{1,6}\u{e007f})|[\u{e0000}-\u{e007f}]+/gu;

/** An answer in which invisible characters are named in place of being there, where scripts and emoji need none. */
export function reveal<T>(answer: T): T {
  const text = JSON.stringify(answer);
  return text.search(HIDDEN) < 0 && text.search(TAGS) < 0 ? answer : (revealIn(answer) as T);
}

function revealIn(value: unknown): unknown {
  if (typeof value === 'string') {
    const name = (run: string) => `[${Array.from(run).length} invisible characters]`;
    return value.replace(TAGS, (run, flag) => flag ?? name(run)).replace(HIDDEN, name);
  }
  if (Array.isArray(value)) return value.map(revealIn);
  if (typeof value !== 'object' || value === null) return value;
  // Fields have their labels as names.
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [revealIn(key), revealIn(each)]));
}
