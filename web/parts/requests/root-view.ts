import type { Visit } from '#src/pages/visit.ts';
import { parseLocale } from '../../i18n/format.ts';
import { readCookie } from '../../lib/cookies.ts';
import { viewToast } from './toasts.ts';

/**
 * What every page knows of its request: an id for support, when it came, the visitor's language and theme, and what
 * they have just done.
 */
export async function viewRoot(request: Request, url: URL, visit: Visit) {
  const { requestId, clock } = visit;
  const theme = readCookie(request, 'theme');
  return {
    requestId,
    now: clock.now(),
    locale: parseLocale(visit.asked),
    toast: await viewToast(request, url, visit),
    /** Which other sites may frame this page; null if it is not in the widget. */
    frameOrigins: visit.embed?.origins ?? null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
  };
}
