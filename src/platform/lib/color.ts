import { badRequest } from '../errors.ts';
import { msg } from '../messages.ts';

/** A CSS hex color from outside. @throws BAD_REQUEST for anything else */
export function requireColor(raw: string): string {
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(raw)) return raw;
  throw badRequest(msg('textColorInvalid'), 'color');
}

/** A CSS hex color with six digits, in lower case. */
export function withSixDigits(color: string): string {
  return color.toLowerCase().replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
}

/** As `requireColor`, for optional values: null and undefined are returned unchanged. */
export function requireColorOr<N extends null | undefined>(raw: string | N): string | N {
  return typeof raw === 'string' ? requireColor(raw) : raw;
}
