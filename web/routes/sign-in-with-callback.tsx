import { data, Link, type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { isFailure, wordsOf } from '../lib/failure.ts';
import { useLocale } from '../lib/locale.ts';
import { visitContext } from '../lib/visit.ts';
import { PlainPage } from '../ui/plain-page.tsx';

/** Signs in by what a provider has sent the visitor back with, or says why not. */
export async function loader({ context, params, url }: LoaderFunctionArgs) {
  const { access } = context.get(visitContext);
  try {
    throw redirect(await access.withProvider.end(params.provider ?? '', Object.fromEntries(url.searchParams)));
  } catch (error) {
    if (!isFailure(error)) throw error;
    return data({ reason: wordsOf(error) }, { status: 403 });
  }
}

export default function SignInWithCallback() {
  const { reason } = useLoaderData<typeof loader>();
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
