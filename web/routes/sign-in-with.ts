import { type LoaderFunctionArgs, redirect } from 'react-router';
import { orErrorPage } from '../lib/failure.ts';
import { parseNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';

/** Leads to a provider to sign in with. */
export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const { access } = context.get(visitContext);
  const next = parseNext(url.searchParams.get('next'));
  return redirect(await orErrorPage(access.withProvider.begin(params.provider ?? '', next)));
}
