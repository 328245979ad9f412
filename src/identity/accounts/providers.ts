import type { SignInProvider } from '../../platform/sign-in-settings.ts';
import type { OpenIdProvider } from './openid/provider.ts';

/** The providers of a server, and the domains that their addresses may have; without any, all domains. */
export type SignInProviders = { providers: readonly SignInProvider[]; domains: readonly string[] };

/** Whether an address belongs to one of the domains, if there are any. */
export function isAllowedAddress(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}

/** The OpenID provider among them, loaded when it is needed. */
export async function openProvider({ providers }: Pick<SignInProviders, 'providers'>): Promise<OpenIdProvider | null> {
  for (const { openid, ...client } of providers) {
    if (openid) return new (await import('./openid/provider.ts')).OpenIdProvider({ ...client, openid });
  }
  return null;
}
