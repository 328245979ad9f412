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

/**
 * Runs of characters that no one sees, in which instructions can be hidden from people who look at a text before an agent
 * does. Scripts and emoji need single ones, and the flags of regions up to seven.
 */
const HIDDEN = /\p{Default_Ignorable_Code_Point}{8,}/gu;

/** An answer in which runs of invisible characters are named in place of being there. */
export function reveal<T>(answer: T): T {
  const text = JSON.stringify(answer);
  if (text.search(HIDDEN) < 0) return answer;
  const show = (value: string) => value.replace(HIDDEN, (run) => `[${Array.from(run).length} invisible characters]`);
  return JSON.parse(text, (_, value) => (typeof value === 'string' ? show(value) : value));
}
