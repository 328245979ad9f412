import { type LoaderFunctionArgs, redirect } from 'react-router';
import { findPost } from '#src/feedback/posts/posts.ts';
import { sourceNames } from '#src/operations/imports/items.ts';
import { findImported } from '#src/operations/imports/known.ts';
import { visitContext } from '../lib/visit.ts';
import { openBoard } from '../parts/requests/member.ts';
import { postPath } from '../posts/posts.ts';

/** Leads from what an idea was called in another product to the idea that was imported from there. */
export async function loader(args: LoaderFunctionArgs) {
  const { params } = args;
  const context = await openBoard(args);
  const { db, board } = context;
  const source = sourceNames.find((name) => name === params.source);
  const known = source && (await findImported(context, source, [params.id ?? ''])).get(params.id ?? '');
  const viewer = await args.context.get(visitContext).people.on(board);
  const post = known && (await findPost(db.read, board.id, known.id, viewer));
  if (!post) throw new Response(null, { status: 404 });
  return redirect(`/b/${board.pid}/${postPath(post)}`, 301);
}
