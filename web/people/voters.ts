import type { LoaderFunctionArgs } from 'react-router';
import { findPostByNumber } from '#src/feedback/posts/posts.ts';
import { requireMember } from '../parts/requests/member.ts';

/** The idea whose voters the team asks for. @throws a response for who may not see them, or if there is no such idea */
export async function requireVoters(args: LoaderFunctionArgs) {
  const { visit, context } = await requireMember(args, 'post.status');
  const post = await findPostByNumber(visit.db.read, context.board.id, Number(args.params.number), context.actor);
  if (!post) throw new Response(null, { status: 404 });
  return { visit, context, post };
}
