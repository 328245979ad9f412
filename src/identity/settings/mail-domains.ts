import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine } from '../../platform/texts/text.ts';
import { requireDomain } from '../board/board.ts';

/** Maximum number of email domains that a board may allow. */
export const MAX_MAIL_DOMAINS = 50;

/** Domains however they are separated, with or without the @ before them. */
export function parseMailDomains(text: string): string {
  const line = requireLine(text.replaceAll(/\s/g, ' '), { field: 'mailDomains', min: 0, max: 10_000 });
  const parts = line.split(/[\s,;]+/).filter(Boolean);
  if (parts.length > MAX_MAIL_DOMAINS) throw badRequest(msg('accessTooManyDomains', MAX_MAIL_DOMAINS), 'mailDomains');
  return [...new Set(parts.map((part) => requireDomain(part.replace(/^@/, ''), 'mailDomains')))].join(' ');
}
