import type { LoaderFunctionArgs } from 'react-router';
import { countFiles } from '#src/feedback/sharing/indexing.ts';
import { canonicalUrl } from '#src/identity/board/board.ts';
import { printSitemapIndex } from '#src/pages/sitemap.ts';
import { visitContext } from '../lib/visit.ts';
import { listBoardsOfHost } from '../parts/requests/board-of-host.ts';
import { answerXml } from '../parts/requests/public-responses.ts';

/** The sitemaps of the boards of a host. */
export async function loader({ context }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const boards = await listBoardsOfHost(visit);
  const urls = boards.flatMap((board) => {
    const home = canonicalUrl(board, visit.baseUrl);
    return Array.from({ length: countFiles(board) }, (_, n) => `${home}/sitemap/${n + 1}.xml`);
  });
  // The format has no empty list.
  if (urls.length === 0) throw new Response(null, { status: 404 });
  return answerXml(printSitemapIndex(urls));
}
