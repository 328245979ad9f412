import { Link, type LoaderFunctionArgs, Outlet, useLoaderData, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { KindBadge, WebhookStateName } from './state.tsx';
import { openWebhook, webhookState } from './webhooks.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { row, here } = await openWebhook(args);
  return { here, host: row.host, url: row.url, kind: row.kind, state: webhookState(row) };
}

/** One webhook: the layout of all its pages. */
export default function Webhook() {
  const { here, host, url, kind, state } = useLoaderData<typeof loader>();
  const l = useLocale();
  const { pathname } = useLocation();
  const pages = {
    [here]: m.deliveries(l),
    [`${here}/settings`]: m.settings(l),
    // A chat is no program with secrets.
    ...(kind === 'PLAIN' && { [`${here}/secrets`]: m.secrets(l), [`${here}/receiver`]: m.receiver(l) }),
  };
  // The page of one delivery belongs to the list of them.
  const current = Object.keys(pages).find((path) => path === pathname) ?? here;
  return (
    <div className="stack wide">
      <p>
        <Link to="../webhooks">{m.webhooks(l)}</Link>
      </p>
      <header className="stack tight">
        <PageTitle>{host}</PageTitle>
        <p className="row small">
          <WebhookStateName state={state} />
          <KindBadge kind={kind} />
          <span className="muted break" dir="ltr">
            {url}
          </span>
        </p>
      </header>
      {url.startsWith('http:') && (
        <p className="note" data-kind="warning">
          {m.httpWarning(l)}
        </p>
      )}
      <nav aria-label={host}>
        <ul className="tabs">
          {Object.entries(pages).map(([path, words]) => (
            <li key={path}>
              <Link to={path} aria-current={path === current ? 'page' : undefined}>
                {words}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <Outlet />
    </div>
  );
}
