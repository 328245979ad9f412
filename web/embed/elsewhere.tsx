import { type LoaderFunctionArgs, redirect, useLoaderData } from 'react-router';
import * as m from '../i18n/messages.ts';
import { parseNext } from '../lib/next.ts';
import { usePrefix } from '../lib/prefix.ts';
import { visitContext } from '../lib/visit.ts';
import { PlainPage } from '../parts/frame/plain-page.tsx';
import { useLocale } from '../parts/requests/locale.ts';

export function loader({ context, params, url }: LoaderFunctionArgs) {
  const to = parseNext(url.searchParams.get('to')) ?? `/b/${params.pid}`;
  if (!context.get(visitContext).embed) throw redirect(to);
  return { to };
}

/** What the widget shows instead of a page that needs a window of its own, such as the login of the board's owner. */
export default function Elsewhere() {
  const prefix = usePrefix();
  const { to } = useLoaderData<typeof loader>();
  const l = useLocale();
  return (
    <PlainPage title={m.elsewhereTitle(l)}>
      <p>{m.elsewhereHelp(l)}</p>
      <p>
        <a className="button" data-kind="primary" href={prefix + to} target="_blank" rel="noopener">
          {m.elsewhereOpen(l)}
        </a>
      </p>
    </PlainPage>
  );
}
