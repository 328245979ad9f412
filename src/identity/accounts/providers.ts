import type { SignInProvider } from '../../platform/config.ts';

/** The providers of a server, and the domains that their addresses may have; without any, all domains. */
export type SignInProviders = { providers: readonly SignInProvider[]; domains: readonly string[] };

/** Whether an address belongs to one of the domains, if there are any. */
export function isAllowedAddress(email: string, domains: readonly string[]): boolean {
  return domains.length === 0 || domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
}
