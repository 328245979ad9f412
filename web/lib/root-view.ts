import type { Visit } from '../../src/pages/visit.ts';
import { parseLocale } from '../i18n/format.ts';
import { readCookie } from './cookies.ts';

/** What every page knows of its request: an id for support, when it came, the visitor's language, and their theme. */
export function viewRoot(request: Request, { requestId, clock }: Visit) {
  const theme = readCookie(request, 'theme');
  return {
    requestId,
    now: clock.now(),
    locale: parseLocale(request.headers.get('accept-language')),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  };
}
