import { type ActionFunctionArgs, redirect } from 'react-router';
import { visitContext } from '../lib/visit.ts';

/** Ends the session of this browser. */
export async function action({ context }: ActionFunctionArgs) {
  await context.get(visitContext).people.signOut();
  return redirect('/');
}

export function loader() {
  return redirect('/');
}
