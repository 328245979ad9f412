import type { Visit } from '../../src/pages/visit.ts';
import { parseLocale } from '../i18n/format.ts';
import { readCookie } from './cookies.ts';

/** What every page knows of its request: an id for support, the visitor's language, and the theme that they chose. */
export function viewRoot(request: Request, { requestId }: Visit) {
  const theme = readCookie(request, 'theme');
  return {
    requestId,
    locale: parseLocale(request.headers.get('accept-language')),
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  };
}
