import type { LoaderFunctionArgs } from 'react-router';
import { type EntryRow, entryPath, labelsOf } from '#src/feedback/changelog/entries.ts';
import { listEntries } from '#src/feedback/changelog/list.ts';
import { renderBeginning } from '#src/pages/rendering.ts';
import type { AtomEntry } from '#src/platform/lib/atom.ts';
import * as m from '../i18n/messages.ts';
import { FEED_ENTRIES, openFeed, sendFeed } from '../parts/requests/feeds.ts';
import { labelIn, labelName, searchFor } from './labels.ts';

/** A longer text is in a feed with its beginning. */
const FOLDING = { from: 3_000, shown: 2_000 };

/** The changelog as a feed, all of it or the entries of one label. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const open = await openFeed(args);
  const { context, home, l } = open;
  const { board } = context;
  const label = labelIn(args.url.searchParams);
  const search = searchFor(label);
  const title = label ? `${m.changelog(l)}: ${labelName(l, label)}` : m.changelog(l);
  const { nodes } = await listEntries(context, 'PUBLISHED', { cursor: null, limit: FEED_ENTRIES }, label);
  const toEntry = async (entry: EntryRow): Promise<AtomEntry> => ({
    id: entry.id,
    title: entry.title,
    url: `${home}/${entryPath(entry)}`,
    published: entry.date_published ?? 0,
    updated: Math.max(entry.date_published ?? 0, entry.date_updated),
    // An entry is from the team as a whole, on pages and here.
    author: board.name,
    labels: labelsOf(entry).map((label) => labelName(l, label)),
    content: { type: 'html', value: (await renderBeginning(entry.text, FOLDING)).html },
  });
  return sendFeed(args, open, {
    about: board.id,
    kind: `changelog${search}`,
    page: `/changelog${search}`,
    path: `/changelog.atom${search}`,
    title: `${title} · ${board.name}`,
    entries: await Promise.all(nodes.map(toEntry)),
  });
}
