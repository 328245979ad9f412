import { hash } from 'node:crypto';
import type { LoaderFunctionArgs } from 'react-router';
import { canonicalUrl } from '#src/identity/board/board.ts';
import type { ViewerContext } from '#src/identity/users/request-context.ts';
import { ATOM_TYPE, type AtomFeed, printAtom } from '#src/platform/lib/atom.ts';
import { deriveId } from '#src/platform/lib/ids.ts';
import { parseLocale } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import type { AuthorView } from './people.ts';
import { KEPT, openToAll } from './public-responses.ts';

/** Entries of a feed: the newest. */
export const FEED_ENTRIES = 20;

/**
 * The board of a feed, for an anonymous viewer. Feed readers sign in nowhere, so a private board has no feeds, not even
 * for its members.
 */
export async function openFeed(args: LoaderFunctionArgs) {
  const { visit, context: shared } = await openToAll(args);
  const context: ViewerContext = { ...shared, actor: null };
  const { board, baseUrl } = context;
  return { visit, context, home: canonicalUrl(board, baseUrl), l: parseLocale(board.locale) };
}

type OpenFeed = Awaited<ReturnType<typeof openFeed>>;

/** What a feed has of its own. */
type OwnParts = Pick<AtomFeed, 'title' | 'entries'> & {
  /** The id of what the feed is about, and which of its feeds it is. */
  about: string;
  kind: string;
  /** Its page and itself, from the board on. */
  page: string;
  path: string;
};

/** A feed as the answer to a request; one that the reader has already is not sent again. */
export function sendFeed({ request }: LoaderFunctionArgs, open: OpenFeed, feed: OwnParts): Response {
  const { board } = open.context;
  const body = printAtom({
    id: deriveId(feed.about, feed.kind),
    title: feed.title,
    url: `${open.home}${feed.page}`,
    feedUrl: `${open.home}${feed.path}`,
    language: open.l,
    author: board.name,
    begun: board.date_created,
    entries: feed.entries,
  });
  const etag = `"${hash('sha256', body, 'base64url')}"`;
  const headers = { etag, 'cache-control': KEPT, 'content-type': ATOM_TYPE };
  // Proxies that compress make the tag a weak one, and a client may name several.
  const isKept = request.headers.get('if-none-match')?.includes(etag);
  return isKept ? new Response(null, { status: 304, headers }) : new Response(body, { headers });
}

/** Who wrote something, in a feed. */
export function authorName({ l }: OpenFeed, author: AuthorView | null): string {
  return author?.name ?? m.formerUser(l);
}
