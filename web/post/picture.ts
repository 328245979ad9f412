import type { LoaderFunctionArgs } from 'react-router';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { pictureOf } from '#src/pages/pictures/picture.ts';
import { answerPicture, openToAll } from '../parts/requests/public-responses.ts';

/** The picture that links to a post show: always what anonymous visitors may see. */
export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await openToAll(args);
  const { db, board } = context;
  const post = await findPostByNumber(db.read, board.id, Number(args.params.number), null);
  if (!post) throw new Response(null, { status: 404 });
  const status = (await listStatuses(db.read, board.id)).find(({ id }) => id === post.status_id);
  return answerPicture(args.request, visit, pictureOf(board, post, status));
}
