import { Link, useLoaderData } from 'react-router';
import { redirectUri } from '#src/operations/reach/providers.ts';
import type { SignInProvider } from '#src/platform/sign-in-settings.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { OnOff } from '../parts/show/on-off.tsx';
import { PageTitle } from '../parts/show/page-title.tsx';
import { CopyText } from '../parts/team/copy.tsx';

/** The providers that the environment can name, and its variables for each. */
const KNOWN: readonly { id: SignInProvider['id']; name: string; variables: string[] }[] = [
  { id: 'google', name: 'Google', variables: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] },
  { id: 'github', name: 'GitHub', variables: ['GITHUB_CLIENT_ID', 'GITHUB_CLIENT_SECRET'] },
  {
    id: 'oidc',
    name: 'OpenID',
    variables: [
      ...['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'],
      ...['OIDC_EMAIL_CLAIM', 'OIDC_TRUST_EMAIL'],
    ],
  },
];

export const loader = memberLoader('board.edit', ({ visit, context }) => {
  const { providers, domains } = visit.access.withProvider;
  return {
    pid: context.board.pid,
    domains,
    providers: KNOWN.map(({ id, name, variables }) => {
      const set = providers.find((provider) => provider.id === id);
      const address = redirectUri(visit.baseUrl, id);
      return { ...{ id, variables, address }, name: set?.name ?? name, isOn: set !== undefined };
    }),
  };
});

/**
 * Whose accounts people may sign in with. Accounts belong to the whole server, so its operator sets this in the
 * environment; the page says what is set, and what to enter at the provider.
 */
export default function Providers() {
  const { pid, domains, providers } = useLoaderData<typeof loader>();
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <div className="stack">
        <PageTitle>{m.providers(l)}</PageTitle>
        <p className="muted">{m.providersHelp(l)}</p>
        <p>
          {domains.length === 0 ? m.providersAnyDomain(l) : m.providersDomains(l, { domains: domains.join(', ') })}{' '}
          <Link to={`/b/${pid}/settings/sso`}>{m.providersSso(l)}</Link>
        </p>
      </div>
      {providers.map(({ id, name, variables, address, isOn }) => (
        <section key={id} className="stack" aria-labelledby={id}>
          <h2 id={id} dir="auto">
            {name}
          </h2>
          <p>
            <OnOff isOn={isOn} />
          </p>
          <CopyText text={address} label={m.providerAddress(l)} />
          <p className="muted small">
            {m.providerVariables(l)} <code className="break">{variables.join(' ')}</code>
          </p>
        </section>
      ))}
    </div>
  );
}
