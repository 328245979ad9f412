import { badRequest } from '../errors.ts';

/** A CSS hex color from outside. @throws BAD_REQUEST when it is something else */
export function requireColor(raw: string, field = 'color'): string {
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(raw)) return raw;
  throw badRequest(`${field} must be a CSS hex color, #rgb or #rrggbb`, field);
}

/** As `requireColor`, for what may be left out: null and undefined stay as they are. */
export function requireColorOr<N extends null | undefined>(raw: string | N): string | N {
  return typeof raw === 'string' ? requireColor(raw) : raw;
}
