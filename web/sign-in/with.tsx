import { data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { localize } from '../lib/localize.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { isFailure, wordsOf } from '../parts/requests/failure.ts';
import { findFrame } from '../parts/requests/frame.ts';
import { useLocale } from '../parts/requests/locale.ts';

/** Redirects to a provider, and signs in the visitor who comes back from it, or explains why not. */
export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const { withProvider } = visit.access;
  const provider = withProvider.providers.find(({ id }) => id === params.provider);
  if (!provider) throw new Response(null, { status: 404 });
  const next = parseNext(url.searchParams.get('next'));
  const refuse = async (reason: string, hint: string | null, next: string | null, status: number) =>
    data({ provider: provider.name, reason, hint, next, frame: await findFrame(visit, next) }, { status });
  try {
    const isBack = url.pathname.startsWith('/sign-in/with/callback/');
    if (!isBack) return redirect(await withProvider.begin(provider.id, next));
    const result = await withProvider.end(provider.id, Object.fromEntries(url.searchParams));
    if ('path' in result) return redirect(result.path);
    const { words, hint } = result.refusal;
    return refuse(localize(words.text, words), hint && localize(hint.text, hint), parseNext(result.next), 403);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return refuse(wordsOf(error), null, next, error.extensions.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 403);
  }
}

export default function SignInWith() {
  const { provider, reason, hint, next } = useLoaderData<{
    provider: string;
    reason: string;
    hint: string | null;
    next: string | null;
  }>();
  const l = useLocale();
  return (
    <PlainPage title={m.refusedWith(l, { provider })}>
      <p className="note" data-kind="error" role="alert">
        {reason}
      </p>
      {hint !== null && <p className="muted small">{m.hintForOperator(l, { hint })}</p>}
      <p>
        <Link to={withNext('/sign-in', next)}>{m.toSignIn(l)}</Link>
      </p>
    </PlainPage>
  );
}
