/** A page of a board by its address. */
export type Address = {
  /** Of the server: its origin, and the path below which it is, if any. */
  base: string;
  /** The board's name there; null for the board of a whole host. */
  pid: string | null;
  /** What follows in the address; undefined for the board itself. */
  page: string | undefined;
};

/**
 * Reads the address of a board, or of a page of it; null if it is none.
 * @param server the base of the server of this script: below the same path are the boards that have a host of their own
 */
export function parseAddress(text: unknown, server: string): Address | null {
  if (!URL.canParse(String(text), location.href)) return null;
  const url = new URL(String(text), location.href);
  if (!/^https?:$/.test(url.protocol)) return null;
  const { pathname } = new URL(server);
  const prefix = `${url.pathname}/`.startsWith(`${pathname}/`) ? pathname : '';
  const path = url.pathname.slice(prefix.length);
  const [, below = '', pid = null, rest = ''] = /^(.*?)\/b\/([\w-]+)(.*)$/.exec(path) ?? [path, '', undefined, path];
  const page = rest.replace(/\/$/, '') + url.search + url.hash;
  return { base: url.origin + prefix + below, pid, page: page || undefined };
}

/** What `open` may name. */
export type Place = { view?: 'ideas' | 'new' | 'changelog'; post?: number };

/** The page of a place, as in an address; undefined for none in particular. */
export function pageOf({ view, post }: Place): string | undefined {
  if (post !== undefined) return `/posts/${Number(post)}`;
  return view && { ideas: '', new: '#new-idea', changelog: '/changelog' }[view];
}
