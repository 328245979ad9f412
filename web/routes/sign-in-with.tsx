import { data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { isFailure, wordsOf } from '../lib/failure.ts';
import { useLocale } from '../lib/locale.ts';
import { parseNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PlainPage } from '../ui/plain-page.tsx';

/** Redirects to a provider, and signs in the visitor who comes back from it, or explains why not. */
export async function loader({ context, params: { provider = '' }, url }: LoaderFunctionArgs) {
  const { withProvider } = context.get(visitContext).access;
  try {
    const isBack = url.pathname.startsWith('/sign-in/with/callback/');
    const target = isBack
      ? await withProvider.end(provider, Object.fromEntries(url.searchParams))
      : await withProvider.begin(provider, parseNext(url.searchParams.get('next')));
    return redirect(target);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code } = error.extensions;
    if (code === 'NOT_FOUND') throw new Response(null, { status: 404 });
    return data({ reason: wordsOf(error) }, { status: code === 'RATE_LIMIT_EXCEEDED' ? 429 : 403 });
  }
}

export default function SignInWith() {
  const { reason } = useLoaderData<{ reason: string }>();
  const l = useLocale();
  return (
    <PlainPage title={m.ssoRefused(l)}>
      <p className="note" data-kind="error" role="alert">
        {reason}
      </p>
      <p>
        <Link to="/sign-in">{m.toSignIn(l)}</Link>
      </p>
    </PlainPage>
  );
}
