import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OpenIdSettings } from '../../src/platform/sign-in-settings.ts';
import { type OpenIdOptions, type ProvidedPerson, startOpenId } from '../support/openid.ts';
import { engines } from '../support/store.ts';
import { makeTestWeb } from '../support/web.ts';

/** A person of a provider, as its documentation says that it sends them, and what becomes of them here. */
type Row = {
  name: string;
  /** Where the claims are from. */
  from: string;
  options?: OpenIdOptions;
  settings?: Partial<OpenIdSettings>;
  idToken: ProvidedPerson;
  /** By default those of the ID token. */
  userinfo?: ProvidedPerson | null;
  account: { email: string; name: string } | { words: RegExp; hint: RegExp | null };
};

const ENTRA = {
  from: 'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference',
  options: { path: '/72f988bf-86f1-41af-91ab-2d7cd011db47/v2.0' },
  idToken: {
    name: 'Lina Haddad',
    preferred_username: 'lina.haddad@contoso.com',
    oid: '690222be-ff1a-4d56-abd1-7e4f7d38e474',
    tid: '72f988bf-86f1-41af-91ab-2d7cd011db47',
    rh: '0.AQEAv4j5cvGGr0GRqy180BHbR6',
    uti: 'AAAAAAAAAAAA',
    ver: '2.0',
  },
  // The ID token has everything that is there (https://learn.microsoft.com/entra/identity-platform/userinfo).
  userinfo: { name: 'Lina Haddad', given_name: 'Lina', family_name: 'Haddad', picture: 'https://graph.example/photo' },
};
const ENTRA_MAIL = { ...ENTRA.idToken, email: 'Lina.Haddad@contoso.com' };
const LINA = { email: 'lina.haddad@contoso.com', name: 'Lina Haddad' };
const TRUST = { trustsEmail: true };

const KEYCLOAK = {
  from: 'https://www.keycloak.org/docs/latest/server_admin/ (client scopes email and profile)',
  options: { path: '/realms/acme' },
  idToken: {
    email_verified: true,
    name: 'Lina Haddad',
    preferred_username: 'lina',
    given_name: 'Lina',
    family_name: 'Haddad',
    email: 'lina@example.com',
  },
};

const AUTHENTIK = {
  from: 'https://docs.goauthentik.io/add-secure-apps/providers/oauth2/verify-email-address/',
  // Its issuers end with a slash; without a key of its own, a provider there signs with the client's secret.
  options: { path: '/application/o/earshot/', algorithm: 'HS256' },
  idToken: {
    email: 'lina@example.com',
    email_verified: false,
    name: 'Lina Haddad',
    given_name: 'Lina Haddad',
    preferred_username: 'lina',
    nickname: 'lina',
    groups: ['authentik Admins'],
  },
} as const;

const rows: Row[] = [
  {
    name: 'Entra ID says nothing about an address, so it is refused with the setting to change',
    ...ENTRA,
    idToken: ENTRA_MAIL,
    account: {
      words: /Acme ID does not say whether your email address is confirmed/,
      hint: /If you run this site: Set OIDC_TRUST_EMAIL=on if Acme ID confirms every address\./,
    },
  },
  { name: 'Entra ID with OIDC_TRUST_EMAIL', ...ENTRA, settings: TRUST, idToken: ENTRA_MAIL, account: LINA },
  {
    name: 'Entra ID, where userinfo does not work either',
    ...ENTRA,
    settings: TRUST,
    idToken: ENTRA_MAIL,
    userinfo: null,
    account: LINA,
  },
  {
    name: 'Entra ID without a mailbox names the claim that has an address',
    ...ENTRA,
    settings: TRUST,
    account: {
      words: /Acme ID does not tell the email address of your account/,
      hint: /The claim preferred_username has an address\. Set OIDC_EMAIL_CLAIM=preferred_username, and OIDC_TRUST_EMAIL=on/,
    },
  },
  {
    name: 'Entra ID without a mailbox, with OIDC_EMAIL_CLAIM',
    ...ENTRA,
    settings: { ...TRUST, emailClaim: 'preferred_username' },
    account: LINA,
  },
  {
    name: 'Entra ID with the optional claim xms_edov',
    ...ENTRA,
    from: 'https://learn.microsoft.com/entra/identity-platform/optional-claims-reference',
    idToken: { ...ENTRA_MAIL, xms_edov: true },
    account: LINA,
  },
  { name: 'Entra ID with xms_edov as text', ...ENTRA, idToken: { ...ENTRA_MAIL, xms_edov: '1' }, account: LINA },
  {
    name: 'Entra ID denies by xms_edov that a domain is that of the tenant',
    ...ENTRA,
    settings: TRUST,
    idToken: { ...ENTRA_MAIL, xms_edov: false },
    account: { words: /no confirmed email address/, hint: /says that the address is not confirmed/ },
  },
  {
    name: 'xms_edov is about email, and not about another claim',
    ...ENTRA,
    settings: { emailClaim: 'upn' },
    idToken: { ...ENTRA_MAIL, upn: 'admin@contoso.com', xms_edov: true },
    account: { words: /does not say whether/, hint: /OIDC_TRUST_EMAIL/ },
  },
  {
    name: 'Entra ID with v1.0 tokens, which have no email',
    from: 'https://learn.microsoft.com/entra/identity-platform/id-token-claims-reference (v1.0)',
    settings: { ...TRUST, emailClaim: 'upn' },
    idToken: {
      given_name: 'Lina',
      family_name: 'Haddad',
      oid: '690222be',
      tid: '72f988bf',
      ver: '1.0',
      unique_name: 'lina.haddad@contoso.com',
      upn: 'lina.haddad@contoso.com',
      amr: ['pwd'],
    },
    account: LINA,
  },
  {
    name: 'Google as an OpenID provider',
    from: 'https://developers.google.com/identity/openid-connect/reference',
    idToken: {
      email: 'lina@example.com',
      email_verified: true,
      hd: 'example.com',
      name: 'Lina Haddad',
      given_name: 'Lina',
      family_name: 'Haddad',
      picture: 'https://lh3.example/a/photo',
    },
    account: { email: 'lina@example.com', name: 'Lina Haddad' },
  },
  {
    name: 'GitLab',
    from: 'https://docs.gitlab.com/integration/openid_connect_provider/ (shared information)',
    idToken: {
      sub_legacy: 'f9c8b7',
      name: 'Lina Haddad',
      nickname: 'lina',
      preferred_username: 'lina',
      email: 'lina@example.com',
      email_verified: true,
      groups_direct: ['acme'],
    },
    userinfo: {
      name: 'Lina Haddad',
      nickname: 'lina',
      preferred_username: 'lina',
      email: 'lina@example.com',
      ...{
        email_verified: true,
        website: 'https://lina.example',
        profile: 'https://gitlab.com/lina',
        groups: ['acme'],
      },
    },
    account: { email: 'lina@example.com', name: 'Lina Haddad' },
  },
  { name: 'Keycloak', ...KEYCLOAK, account: { email: 'lina@example.com', name: 'Lina Haddad' } },
  {
    name: 'Keycloak, for someone whose "Email verified" is off',
    ...KEYCLOAK,
    settings: TRUST,
    idToken: { ...KEYCLOAK.idToken, email_verified: false },
    account: { words: /no confirmed email address/, hint: /Acme ID says that the address is not confirmed/ },
  },
  {
    name: 'authentik since 2025.10 denies every address',
    ...AUTHENTIK,
    settings: TRUST,
    account: { words: /no confirmed email address/, hint: /docs\/configuration\.md has what to change/ },
  },
  {
    name: 'authentik with a scope mapping of its own',
    ...AUTHENTIK,
    idToken: { ...AUTHENTIK.idToken, email_verified: true },
    account: { email: 'lina@example.com', name: 'Lina Haddad' },
  },
  {
    name: 'Okta, whose own authorization server tells only userinfo whether an address is confirmed',
    from: 'https://developer.okta.com/docs/api/openapi/okta-oauth/oauth/ (scope-dependent claims, /userinfo)',
    idToken: { name: 'Lina Haddad', email: 'lina@example.com', preferred_username: 'lina@example.com', amr: ['pwd'] },
    userinfo: {
      name: 'Lina Haddad',
      nickname: 'lina',
      given_name: 'Lina',
      family_name: 'Haddad',
      locale: 'en-US',
      preferred_username: 'lina@example.com',
      zoneinfo: 'America/Los_Angeles',
      updated_at: 1_311_280_970,
      email: 'lina@example.com',
      email_verified: true,
    },
    account: { email: 'lina@example.com', name: 'Lina Haddad' },
  },
  {
    name: 'an address only at userinfo, as OpenID Connect Core 5.4 has it',
    from: 'https://openid.net/specs/openid-connect-core-1_0.html#ScopeClaims',
    idToken: { amr: ['pwd'] },
    userinfo: { email: 'lina@example.com', email_verified: true, given_name: 'Lina', family_name: 'Haddad' },
    account: { email: 'lina@example.com', name: 'Lina Haddad' },
  },
  {
    name: 'Auth0, which names people by their address: it does not become public',
    from: 'https://auth0.com/docs/secure/tokens/id-tokens/id-token-structure',
    options: { path: '/' },
    idToken: {
      nickname: 'lina.h',
      name: 'lina.haddad@example.com',
      picture: 'https://s.gravatar.com/avatar/x',
      updated_at: '2026-11-20T08:00:00.000Z',
      email: 'lina.haddad@example.com',
      email_verified: true,
    },
    account: { email: 'lina.haddad@example.com', name: 'lina.h' },
  },
  {
    name: 'Azure AD B2C with its list of addresses',
    from: 'https://learn.microsoft.com/azure/active-directory-b2c/tokens-overview',
    options: { discovery: { userinfo_endpoint: undefined } },
    settings: { ...TRUST, emailClaim: 'emails' },
    idToken: {
      ver: '1.0',
      tfp: 'B2C_1_sign_in',
      idp: 'local',
      given_name: 'Lina',
      family_name: 'Haddad',
      emails: ['lina@example.com', 'other@example.com'],
    },
    account: { email: 'lina@example.com', name: 'Lina Haddad' },
  },
  {
    name: 'Amazon Cognito, with booleans as text at userinfo',
    from: 'https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html',
    idToken: { email: 'lina@example.com' },
    userinfo: { email_verified: 'true', email: 'lina@example.com', preferred_username: 'lina' },
    account: { email: 'lina@example.com', name: 'lina' },
  },
  {
    name: '"false" as text',
    from: 'https://docs.aws.amazon.com/cognito/latest/developerguide/userinfo-endpoint.html',
    settings: TRUST,
    idToken: { email: 'lina@example.com', email_verified: 'false' },
    account: { words: /no confirmed email address/, hint: /not confirmed/ },
  },
  {
    name: 'userinfo that denies an address is believed, whatever is trusted',
    from: 'https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse',
    settings: TRUST,
    idToken: { email: 'lina@example.com', name: 'Lina' },
    userinfo: { email: 'lina@example.com', email_verified: false },
    account: { words: /no confirmed email address/, hint: /not confirmed/ },
  },
  {
    name: 'what userinfo confirms is not another address of the ID token',
    from: 'https://openid.net/specs/openid-connect-core-1_0.html#UserInfoResponse',
    idToken: { email: 'owner@example.com', name: 'Eve' },
    userinfo: { email: 'eve@example.com', email_verified: true },
    account: { words: /does not say whether/, hint: /OIDC_TRUST_EMAIL/ },
  },
];

for (const engine of engines) {
  for (const { name, options, settings, idToken, userinfo, account } of rows) {
    test(`${name} [${engine}]`, async (t) => {
      const openid = await startOpenId(t, CALLBACK, { ...options, settings: { ...settings } });
      const web = await makeTestWeb(t, engine, { signInProviders: { providers: [openid.provider], domains: [] } });
      const visitor = web.makeVisitor();
      const begun = await visitor.get('/sign-in/with/oidc?next=/b/acme');
      const back = await openid.signIn(String(begun.headers.location), 'a1', idToken, userinfo);
      const { statusCode, headers, payload } = await visitor.get(back.replace('http://board.test', ''));
      const accounts = await web.db.read.selectFrom('accounts').select(['email', 'name']).execute();
      if ('email' in account) {
        assert.deepEqual([statusCode, headers.location], [302, '/sign-in?next=%2Fb%2Facme'], payload);
        assert.deepEqual(accounts, [account]);
        assert.deepEqual(web.logged, []);
        return;
      }
      assert.equal(statusCode, 403);
      assert.match(payload, account.words);
      if (account.hint) assert.match(payload, account.hint);
      assert.deepEqual(accounts, []);
      const [line = '{}'] = web.logged;
      const { provider, issuer, msg } = JSON.parse(line);
      assert.deepEqual([provider, issuer], ['oidc', openid.provider.openid.issuer]);
      if (account.hint)
        assert.match(`If you run this site: ${msg.replace('Sign-in with Acme ID: ', '')}`, account.hint);
      assert.doesNotMatch(line, /@/, 'no address in the log');
    });
  }
}

const CALLBACK = 'http://board.test/sign-in/with/callback/oidc';
