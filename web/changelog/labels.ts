import type { ChangelogLabel } from '#src/feedback/changelog/entries.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';

/** What an entry of the changelog is about, in words. */
export function labelName(l: Locale, label: ChangelogLabel): string {
  return { NEW: m.labelNew(l), IMPROVED: m.labelImproved(l), FIXED: m.labelFixed(l) }[label];
}
