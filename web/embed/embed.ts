import type { ActionFunctionArgs } from 'react-router';
import { REFUSED } from '#src/operations/sso/board-token.ts';
import { localize } from '../lib/localize.ts';
import { visitContext } from '../lib/visit.ts';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { readForm } from '../parts/requests/forms.ts';
import { beginAs, checkToken } from '../parts/requests/sso.ts';

export { refuseToShow as loader } from '../lib/post-only.ts';

/** What the script of a frame gets: null, or why the visitor was not signed in. */
export type HandOver = { refusal: string | null };

/** Signs the visitor of a frame in by the token of the site around it, or out. */
export async function action(args: ActionFunctionArgs): Promise<Response> {
  const visit = args.context.get(visitContext);
  if (!visit.embed) throw new Response(null, { status: 404 });
  const { intent, token = '' } = await readForm(args.request);
  if (intent === 'sign-out') await visit.people.signOut();
  const refusal = intent === 'sign-out' ? null : await signIn(args, token);
  return Response.json({ refusal } satisfies HandOver);
}

async function signIn({ context, params }: ActionFunctionArgs, token: string): Promise<string | null> {
  const visit = context.get(visitContext);
  const door = await visit.openDoor(params.pid).catch((error: unknown) => {
    if (isFailure(error)) return null;
    throw error;
  });
  // Where there is no board, the same happens as on a private one.
  if (!door) return localize(REFUSED.text, REFUSED.parts);
  const { person, refusal } = await checkToken(visit, door, token);
  if (!person) return localize(refusal.text, refusal.parts);
  try {
    await beginAs(visit, door, person);
    return null;
  } catch (error) {
    if (!isFailure(error)) throw error;
    return wordsOf(error);
  }
}
