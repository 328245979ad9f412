import type { LoaderFunctionArgs } from 'react-router';
import { countFiles, isIndexed, listFile } from '#src/feedback/sharing/indexing.ts';
import { type BoardRow, canonicalUrl } from '#src/identity/board/board.ts';
import { printSitemap } from '#src/pages/sitemap.ts';
import { answerXml, openToAll } from '../parts/requests/public-responses.ts';
import { postPath } from '../posts/posts.ts';

/** A file of the sitemap of a board. Each begins with the pages of the board, since the format has no empty list. */
export async function loader(args: LoaderFunctionArgs) {
  const { context } = await openToAll(args);
  const { board, baseUrl } = context;
  const file = Number(/^([1-9]\d{0,8})\.xml$/.exec(args.params.file ?? '')?.[1]);
  if (!isIndexed(board) || !(file <= countFiles(board))) throw new Response(null, { status: 404 });
  const home = canonicalUrl(board, baseUrl);
  const posts = (await listFile(context, file)).map((post) => ({
    url: `${home}/${postPath(post)}`,
    changed: post.date_updated,
  }));
  const pages = pagesOf(board).map((path) => ({ url: home + path, changed: null }));
  return answerXml(printSitemap([...pages, ...posts]));
}

/** The pages of a board that are no posts. */
function pagesOf(board: BoardRow): string[] {
  return [
    '',
    ...(board.is_roadmap_enabled === 1 ? ['/roadmap'] : []),
    ...(board.changelog_count > 0 ? ['/changelog'] : []),
  ];
}
