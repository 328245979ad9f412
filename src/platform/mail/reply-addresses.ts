import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from '../lib/ids.ts';

/** The addresses to which answers to mails go. Each names a mail, which in turn names its reader and its post. */
export type ReplyAddresses = {
  /** The address for answers to this mail. */
  addressFor(mailId: string): string;
  /** The id of the mail that an address is for; null if this server has not made the address. */
  mailOf(address: string): string | null;
};

/** In the part before the @, which has at most 64 characters: an id and half a SHA-256, as digits of base 36. */
const FORM = /^reply\+([0-9a-z]{25})([0-9a-z]{25})$/;
const BYTES = 16;
const DIGITS = 25;

/** Addresses on a domain, signed with a key derived from that of the store. Mail servers may change their case. */
export function makeReplyAddresses(secretKey: string, domain: string): ReplyAddresses {
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', 'earshot replies by mail', 32));
  const sign = (id: string) => createHmac('sha256', key).update(`reply ${id}`).digest().subarray(0, BYTES);
  return {
    addressFor: (id) => `reply+${digitsOf(id.replaceAll('-', ''))}${digitsOf(sign(id).toString('hex'))}@${domain}`,
    mailOf(address) {
      const at = address.lastIndexOf('@');
      const [, named = '', signed = ''] = FORM.exec(address.slice(0, at).toLowerCase()) ?? [];
      if (named === '' || address.slice(at + 1).toLowerCase() !== domain) return null;
      const id = hexOf(named)?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? '';
      const signature = hexOf(signed);
      if (!isId(id) || signature === null) return null;
      return timingSafeEqual(Buffer.from(signature, 'hex'), sign(id)) ? id : null;
    },
  };
}

function digitsOf(hex: string): string {
  return BigInt(`0x${hex}`).toString(36).padStart(DIGITS, '0');
}

/** The 16 bytes in some digits; null if they are more. */
function hexOf(digits: string): string | null {
  const number = [...digits].reduce((sum, digit) => sum * 36n + BigInt(Number.parseInt(digit, 36)), 0n);
  const hex = number.toString(16).padStart(BYTES * 2, '0');
  return hex.length > BYTES * 2 ? null : hex;
}
