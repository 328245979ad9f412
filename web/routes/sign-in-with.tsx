import { data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { isFailure, wordsOf } from '../lib/failure.ts';
import { findFrame } from '../lib/frame.ts';
import { useLocale } from '../lib/locale.ts';
import { parseNext, withNext } from '../lib/next.ts';
import { visitContext } from '../lib/visit.ts';
import { PlainPage } from '../ui/plain-page.tsx';

/** Redirects to a provider, and signs in the visitor who comes back from it, or explains why not. */
export async function loader({ context, params: { provider = '' }, url }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const { withProvider } = visit.access;
  const next = parseNext(url.searchParams.get('next'));
  try {
    const isBack = url.pathname.startsWith('/sign-in/with/callback/');
    const target = isBack
      ? await withProvider.end(provider, Object.fromEntries(url.searchParams))
      : await withProvider.begin(provider, next);
    return redirect(target);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const { code } = error.extensions;
    if (code === 'NOT_FOUND') throw new Response(null, { status: 404 });
    const page = { reason: wordsOf(error), next, frame: await findFrame(visit, next) };
    return data(page, { status: code === 'RATE_LIMIT_EXCEEDED' ? 429 : 403 });
  }
}

export default function SignInWith() {
  const { reason, next } = useLoaderData<{ reason: string; next: string | null }>();
  const l = useLocale();
  return (
    <PlainPage title={m.ssoRefused(l)}>
      <p className="note" data-kind="error" role="alert">
        {reason}
      </p>
      <p>
        <Link to={withNext('/sign-in', next)}>{m.toSignIn(l)}</Link>
      </p>
    </PlainPage>
  );
}
