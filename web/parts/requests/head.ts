import { isIndexed } from '#src/feedback/sharing/indexing.ts';
import { canonicalUrl } from '#src/identity/board/board.ts';
import { isPrivate } from '#src/identity/users/entry.ts';
import type { RequestContext } from '#src/identity/users/request-context.ts';
import { type Picture, pictureOf, SIZE, versionOf } from '#src/pages/pictures/picture.ts';
import { makeExcerpt } from '#src/platform/texts/text.ts';
import { parseLocale } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';

/** Characters of a description that search engines and link previews show. */
const MAX_DESCRIPTION = 160;

/** A page of a board, to be described. */
export type PageOfBoard = {
  /** What the page is called, without the board's name; null for the first page of the board. */
  title: string | null;
  /** One sentence; null for that of the board. */
  description?: string | null;
  /** Its canonical path below the board, with its query if that selects what the page shows. */
  path: string;
  /** Whether search engines may show the page, as far as they may show the board. */
  isIndexed?: boolean;
  /** The picture of links to the page, and its path below the board; by default that of the board. */
  picture?: { path: string; shows: Picture };
  /** What chats show below the description, by its label: two of it at most. */
  facts?: readonly (readonly [label: string, value: string])[];
  /** When an article was written. */
  published?: number;
  /** The feed that tells what is new here, and its path below the board. */
  feed?: { title: string; path: string };
};

/** What `PageHead` writes into the head of a page. A loader gives it as `head`. */
export type Head = ReturnType<typeof describePage>;

/** Describes a page of a board for search engines and for link previews. */
export function describePage({ board, baseUrl }: RequestContext, page: PageOfBoard) {
  const home = canonicalUrl(board, baseUrl);
  const picture = page.picture ?? { path: '/picture.png', shows: pictureOf(board) };
  const alt = (page.picture && page.title) ?? board.name;
  const about =
    page.description || board.description || m.describeBoard(parseLocale(board.locale), { board: board.name });
  return {
    title: page.title === null ? board.name : `${page.title} · ${board.name}`,
    name: page.title ?? board.name,
    site: board.name,
    description: makeExcerpt(about, MAX_DESCRIPTION),
    url: home + page.path,
    isIndexed: isIndexed(board) && page.isIndexed !== false,
    picture: isPrivate(board) ? null : { url: `${home}${picture.path}?v=${versionOf(picture.shows)}`, alt, ...SIZE },
    facts: page.facts ?? [],
    published: page.published === undefined ? null : new Date(page.published).toISOString(),
    // Feed readers sign in nowhere, so a private board has none.
    feed: page.feed && !isPrivate(board) ? { title: page.feed.title, url: home + page.feed.path } : null,
    data: null as string | null,
  };
}
