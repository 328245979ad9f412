import type { IssueLinkRow } from '../../feedback/issues/issues.ts';
import { type PostRow, postUrl } from '../../feedback/posts/posts.ts';
import { nameStatus } from '../../feedback/visibility/statuses.ts';
import type { RequestContext } from '../../identity/users/request-context.ts';
import { translate } from '../../platform/catalogues.ts';
import { msg } from '../../platform/messages.ts';
import type { TrackerProduct } from './product.ts';

type Told = PostRow & { statusName: string };

/** The idea of a link, or the one that it was merged into. */
export async function findPost({ db, board }: RequestContext, link: IssueLinkRow): Promise<Told> {
  const query = db.read.selectFrom('posts').selectAll().where('board_id', '=', board.id);
  const own = await query.where('id', '=', link.post_id).executeTakeFirstOrThrow();
  const rootId = own.merged_root_id ?? own.id;
  const post = rootId === own.id ? own : await query.where('id', '=', rootId).executeTakeFirstOrThrow();
  const statuses = db.read.selectFrom('statuses').selectAll().where('board_id', '=', board.id);
  const status = await statuses.where('id', '=', post.status_id).executeTakeFirstOrThrow();
  return { ...post, statusName: nameStatus(status).name };
}

/** The title of an idea as a link to it. */
export function titleOf({ board, baseUrl }: RequestContext, product: TrackerProduct, post: Told): string {
  const title = product.makeInert(post.title).replace(/[\\[\]`*_<>]/g, '\\$&');
  return `[${title}](${postUrl(post, board, baseUrl)})`;
}

/** A line about an idea, in the language of the board. */
export function linkTo(context: RequestContext, product: TrackerProduct, post: Told): string {
  const { board } = context;
  const inTheirLanguage = (text: ReturnType<typeof msg>) => translate(board.locale, text.parts);
  const votes = inTheirLanguage(msg('trackerVotes', post.upvotes));
  const status = inTheirLanguage(msg('chatStatus', product.makeInert(post.statusName)));
  return `${titleOf(context, product, post)} · ${votes} · ${status}`;
}
