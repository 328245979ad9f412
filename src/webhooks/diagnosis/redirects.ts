import { type LocalizedMessage, msg } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import { hideSecrets } from './receiver-text.ts';

const LONGEST_URL = 2048;

/** Whether a status sends the client elsewhere. */
export function isRedirect(status: number): boolean {
  return [300, 301, 302, 303, 307, 308].includes(status);
}

/**
 * Where a redirect leads, and what to do, since redirects are never followed. The location comes from the receiver and
 * may be anything.
 */
export function describeRedirect(
  status: number,
  location: string | null,
  asked: { url: string; secrets: readonly string[] },
): LocalizedMessage {
  if (!location) return msg('redirectWithoutTarget', status);
  if (location.length > LONGEST_URL) {
    return msg('redirectTooLong', location.length);
  }
  const target = URL.parse(location, asked.url);
  if (!target) return msg('redirectNotAddress', show(location));
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    return msg('redirectNotHttp', show(target.protocol));
  }
  tidy(target);
  const address = show(target.href);
  const own = URL.parse(asked.url);
  if (own && tidy(own).href === target.href) {
    return msg('redirectToItself');
  }
  if (/\b(log[-_]?in|sign[-_]?in|sso|oauth2?|authorize)\b/i.test(target.hostname + target.pathname)) {
    return msg('redirectToLogin', address);
  }
  return msg('redirectTo', address);

  function show(text: string): string {
    return printable(hideSecrets(text, asked.secrets), 300);
  }
}

/** Removes from a URL what the endpoint's URL must not have, or what the verification added. */
function tidy(address: URL): URL {
  address.username = '';
  address.password = '';
  address.hash = '';
  const kept = address.search
    .slice(1)
    .split('&')
    .filter((part) => !/^hub(\.|%2e)(mode|challenge|verify_token)(=|$)/i.test(part));
  address.search = kept.join('&');
  return address;
}
