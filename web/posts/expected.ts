import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';

/** A quarter (`2026-Q3`) or a month (`2026-09`) in words. */
export function expectedName(l: Locale, text: string): string {
  const [year = '', quarter] = text.split('-Q');
  if (quarter) return m.quarter(l, { quarter, year });
  return new Date(text).toLocaleDateString(l, { month: 'short', year: 'numeric', timeZone: 'UTC' });
}
