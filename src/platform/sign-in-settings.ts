/** An external service whose accounts people may sign in with, and the client registered there. */
export type SignInProvider = {
  id: 'google' | 'github' | 'oidc';
  /** The label of its button. */
  name: string;
  clientId: string;
  clientSecret: string;
  /** What is said of an OpenID provider; null for the built-in ones. */
  openid: OpenIdSettings | null;
};

export type OpenIdSettings = {
  /** Where the discovery document is. */
  issuer: string;
  /** The claim with the email address of a person. */
  emailClaim: string;
  /** Whether the address counts as confirmed where the provider does not say whether it is. */
  trustsEmail: boolean;
};

/** The settings that a provider needs, all or none of them. */
export const PROVIDERS = [
  ['GOOGLE', 'CLIENT_ID', 'CLIENT_SECRET'],
  ['GITHUB', 'CLIENT_ID', 'CLIENT_SECRET'],
  ['OIDC', 'ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'],
] as const;

/** The provider whose client is named, if it is. */
export function provider(
  id: SignInProvider['id'],
  name: string,
  clientId: string,
  clientSecret: string,
  openid: OpenIdSettings | null,
): SignInProvider[] {
  return clientId && clientSecret ? [{ id, name, clientId, clientSecret, openid }] : [];
}
