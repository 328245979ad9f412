/** Below this path are the pages that the widget shows in a frame. */
export const EMBED = '/embed';

/** The header for the cookies of a frame, in both directions: browsers refuse to keep those of another site. */
export const JAR_HEADER = 'earshot-jar';

/** Whether a look or a language from an address may go into the jar of a frame: nothing else fits into one cookie. */
export function isChoice(value: string): boolean {
  return /^[\w-]{1,20}$/.test(value);
}

/** The list, ideas and the changelog, what their forms need, and signing in by mail. */
const PAGES =
  /^\/(sign-in(\/code)?|look|b\/[\w-]+(\/(posts\/\d+(\/[^/.]*)?|votes\/\d+|changelog(\/\d+(\/[^/.]*)?)?|similar|uploads|mentions|continue|elsewhere|embed))?)\/?$/;

/** Whether the widget shows a page, by its path; other pages are opened in a window of their own. */
export function isEmbeddable(path: string): boolean {
  return PAGES.test(path);
}

/**
 * The board of a page in a frame, by its name in URLs: that of its path, or of the page that follows it. The server, which
 * says who may frame it, and the page, which says what it shows, both ask this.
 * @param address with or without its origin
 */
export function embeddedPid(address: string): string | null {
  const { pathname, searchParams } = new URL(address, HERE);
  if (!pathname.startsWith(`${EMBED}/`)) return null;
  return pidIn(pathname.slice(EMBED.length)) ?? pidIn(URL.parse(searchParams.get('next') ?? '', HERE)?.pathname ?? '');
}

const HERE = 'http://here.invalid';

function pidIn(path: string): string | null {
  return /^\/b\/([\w-]+)(?:\/|$)/.exec(path)?.[1] ?? null;
}
