import type { LoaderFunctionArgs } from 'react-router';
import { listMentionable } from '#src/feedback/comments/mentions.ts';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { openView } from '../parts/requests/joining.ts';
import { viewAuthor } from '../parts/requests/people.ts';
import { type Mention, SUGGESTIONS } from '../parts/texts/mentioning.ts';

/** Whom a text that is being written can mention: scripts ask once for each page. Only for who has signed in. */
export async function loader(args: LoaderFunctionArgs) {
  const { visit, context } = await openView(args);
  if (!(await visit.people.areSignedIn(context.board))) throw new Response(null, { status: 403 });
  const { read } = visit.db;
  const number = args.url.searchParams.get('post');
  const post = number && (await findPostByNumber(read, context.board.id, Number(number), context.actor));
  const people = await listMentionable(read, context, post || null);
  const others = people.filter(({ id }) => id !== context.actor?.id);
  return Response.json(
    others.slice(0, SUGGESTIONS).map((user) => ({ id: user.id, ...viewAuthor(user, user.name) })) satisfies Mention[],
  );
}
