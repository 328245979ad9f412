import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine } from '../../platform/texts/text.ts';

/** Maximum number of origins on which the widget of a board may appear. */
export const MAX_ORIGINS = 20;
/** Scheme, host name or IPv4 address, and port: nothing that could end the directive of a header. */
const ORIGIN = /^https?:\/\/[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:\d{1,5})?$/;
const FIELD = 'widgetOrigins';

/**
 * Origins of websites, such as `https://app.example.com`, however they are separated.
 * @returns them separated by spaces
 * @throws BAD_REQUEST naming what is no origin
 */
export function parseOrigins(text: string): string {
  const line = requireLine(text.replaceAll(/\s/g, ' '), { field: FIELD, min: 0, max: 6_000 });
  const parts = line.split(/[\s,;]+/).filter(Boolean);
  if (parts.length > MAX_ORIGINS) throw badRequest(msg('boardTooManyWebsites', MAX_ORIGINS), FIELD);
  return [...new Set(parts.map(requireOrigin))].join(' ');
}

function requireOrigin(text: string): string {
  const url = URL.parse(text);
  const isBare = url !== null && url.href === `${url.origin}/`;
  if (isBare && url.origin.length <= 260 && ORIGIN.test(url.origin)) return url.origin;
  throw badRequest(msg('boardWebsiteInvalid', text.slice(0, 100)), FIELD);
}
