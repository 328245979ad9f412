import type { LoaderFunctionArgs } from 'react-router';
import { listEntries } from '#src/feedback/changelog/list.ts';
import { findFormerBoard } from '#src/identity/board/addresses.ts';
import { type BoardRow, findBoard } from '#src/identity/board/board.ts';
import { DEFAULT_COLOR, makeBrand } from '#src/identity/board/brand.ts';
import { isPrivate } from '#src/identity/users/entry.ts';
import type { Visit } from '#src/pages/visit.ts';
import { parseLocale } from '../i18n/format.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { visitContext } from '../lib/visit.ts';
import { findBoardOfHost } from '../parts/requests/board-of-host.ts';
import type { WidgetConfig } from '../widget/config.ts';

/** Changelog entries that are news for visitors who have not seen them: how many, and how old. */
const MAX_NEWS = 9;
const NEWS_MS = 30 * 86_400_000;

/**
 * What the widget needs to know of a board, as a script that any site may import. It is the same for everyone; of a private
 * board, and of one that does not exist, it has nothing but texts.
 */
export async function loader({ context, params, url }: LoaderFunctionArgs): Promise<Response> {
  const visit = context.get(visitContext);
  const found = params.pid === undefined ? await findBoardOfHost(visit) : await findByPid(visit, params.pid);
  const board = found && !isPrivate(found) ? found : null;
  const l = parseLocale(url.searchParams.get('language') || board?.locale);
  const { light, dark } = makeBrand(board?.brand_color ?? DEFAULT_COLOR);
  const config: WidgetConfig = {
    pid: board?.pid ?? params.pid ?? null,
    language: l,
    direction: m.direction(l),
    colors: { light: light.accent, dark: dark.accent },
    news: board ? await listNews(visit, board) : [],
    texts: textsOf(l, board?.name ?? null),
  };
  return new Response(`export default ${JSON.stringify(config)};\n`, {
    headers: {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    },
  });
}

async function findByPid({ db }: Visit, pid: string): Promise<BoardRow | null> {
  return (await findBoard(db.read, pid)) ?? findFormerBoard(db.read, pid);
}

/** When the newest changelog entries were published. */
async function listNews({ db, clock, baseUrl }: Visit, board: BoardRow): Promise<number[]> {
  const page = { cursor: null, limit: MAX_NEWS };
  const { nodes } = await listEntries({ db, clock, baseUrl, board, actor: null }, 'PUBLISHED', page);
  return nodes.map(({ date_published }) => date_published ?? 0).filter((date) => date > clock.now() - NEWS_MS);
}

function textsOf(l: Locale, name: string | null): WidgetConfig['texts'] {
  return {
    button: m.widgetButton(l),
    dialog: name === null ? m.widgetButton(l) : m.widgetDialog(l, { board: name }),
    close: m.close(l),
    silent: m.widgetSilent(l),
    board: m.wholeBoard(l),
    news: Array.from({ length: MAX_NEWS }, (_, n) => m.widgetNews(l, { count: n + 1 })),
  };
}
