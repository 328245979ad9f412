import { msg, quote } from '../../platform/messages.ts';
import type { SignInProvider } from '../../platform/sign-in-settings.ts';
import { type Finding, right, wrong } from './finding.ts';
import { isOfThisMachine } from './visited.ts';

/** Where a provider leads back to: the address to register there. */
export function redirectUri(baseUrl: string, id: SignInProvider['id']): string {
  return `${baseUrl}/sign-in/with/callback/${id}`;
}

/** Whether providers will lead back to this server. What is registered there cannot be asked. */
export function judgeProviders(providers: readonly SignInProvider[], baseUrl: string): Finding<'providers'>[] {
  if (providers.length === 0) return [];
  const addresses = providers.map(({ id }) => redirectUri(baseUrl, id)).join(' ');
  const subject = { check: 'providers', seen: quote(addresses) } as const;
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isOfThisMachine(hostname)) return [right(subject)];
  const why = msg('reachProvidersNeedHttps');
  return [wrong(subject, why, `BASE_URL=${baseUrl.replace(/^http:/, 'https:')}`)];
}
