import { redirect } from 'react-router';
import { commentReactions, setCommentReaction } from '#src/feedback/comments/reactions.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { parseNext } from '../lib/next.ts';
import { orErrorPage } from '../parts/requests/failure.ts';

/** Reacts to a comment, or takes that back; a form without scripts returns to its page. */
export async function reactTo(
  context: ActorContext,
  { id = '', react = '', next }: Record<string, string>,
): Promise<null> {
  const [choice, name] = react.split(' ');
  const reaction = commentReactions.find((known) => known === name);
  if (!reaction) throw new Response(null, { status: 400 });
  await orErrorPage(setCommentReaction(context, id, reaction, choice === 'on'));
  const back = parseNext(next);
  if (back) throw redirect(back);
  return null;
}
