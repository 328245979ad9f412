import { domainToASCII } from 'node:url';
import { badRequest } from '../errors.ts';
import { msg } from '../messages.ts';
import { findableText, requireText } from './text.ts';

/** Characters of an address (RFC 5321, section 4.5.3.1), and the bytes before its @. */
const MAX_LENGTH = 254;
const MAX_LOCAL_BYTES = 64;

/** Words separated by dots, of the characters of RFC 5322 and RFC 6531; quotes and comments are not supported. */
const WORD = "[\\p{L}\\p{N}\\p{M}!#$%&'*+/=?^_`{|}~\\-]+";
const LOCAL = new RegExp(`^${WORD}(?:\\.${WORD})*$`, 'u');
/**
 * A host name in ASCII. It may be one of a local network, without dots, but not an IP address: the last part is a
 * word.
 */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * An email address from outside as it is stored: in lower case, its host in ASCII (`xn--…`), as mail servers and
 * browser fields write it, so that there is one spelling of each.
 * @throws BAD_REQUEST naming the field
 */
export function requireMailAddress(raw: string, field = 'email'): string {
  const address = foldAddress(requireText(raw, { field, min: 3, max: MAX_LENGTH }));
  const at = address.lastIndexOf('@');
  const [local, host] = [address.slice(0, Math.max(at, 0)), address.slice(at + 1)];
  if (Buffer.byteLength(local) > MAX_LOCAL_BYTES) {
    throw badRequest(msg('textEmailTooLong', field, MAX_LOCAL_BYTES), field);
  }
  if (LOCAL.test(local) && HOST.test(host) && address.length <= MAX_LENGTH) return address;
  throw badRequest(msg('textNotEmail', field), field);
}

/** An address from outside in its stored form, for lookups; null if no account can have it. */
export function findableAddress(raw: string): string | null {
  const text = findableText(raw, MAX_LENGTH);
  return text && foldAddress(text);
}

/**
 * The mailbox of an address, to count mails to it: what follows a + is free to choose at many providers, so
 * `ada+1@example.com` and `ada+2@example.com` would otherwise each have limits of their own.
 */
export function mailboxOf(address: string): string {
  return address.replace(/(?<=.)\+[^@]*(?=@)/, '');
}

/** Whether a text is one word with an @ in it: at least meant as an address. */
export function isAddressLike(text: string): boolean {
  const word = text.trim();
  // No pattern: one that looks for the @ between two unlimited parts takes minutes for many of them.
  return word.slice(1, -1).includes('@') && !/\s/.test(word);
}

/** An invalid host stays unchanged, to be refused. */
function foldAddress(text: string): string {
  const lower = text.toLowerCase();
  const at = lower.lastIndexOf('@') + 1;
  const host = lower.slice(at);
  const isForeign = /[^\0-\x7f]/.test(host) && !/[/?#\\:@\s]/.test(host); // it would end there
  return isForeign ? lower.slice(0, at) + (domainToASCII(host) || host) : lower;
}
