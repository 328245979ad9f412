import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { useLocale } from '../lib/locale.ts';

/** When a post is expected, such as “Q3 2026”. */
export function Expected({ text }: { text: string }) {
  const l = useLocale();
  return (
    <span className="expected">
      <span className="visually-hidden">{`${m.expected(l)}: `}</span>
      {expectedName(l, text)}
    </span>
  );
}

/** A quarter (`2026-Q3`) or a month (`2026-09`) in words. */
export function expectedName(l: Locale, text: string): string {
  const [year = '', quarter] = text.split('-Q');
  if (quarter) return m.quarter(l, { quarter, year });
  return new Date(text).toLocaleDateString(l, { month: 'short', year: 'numeric', timeZone: 'UTC' });
}
