import type { ChangelogLabel } from '#src/feedback/changelog/entries.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';

/** What an entry of the changelog is about, in words. */
export function labelName(l: Locale, label: ChangelogLabel): string {
  return { NEW: m.labelNew(l), IMPROVED: m.labelImproved(l), FIXED: m.labelFixed(l) }[label];
}

const labels = ['NEW', 'IMPROVED', 'FIXED'] as const satisfies readonly ChangelogLabel[];

/** The label by which an address filters the changelog, `?label=new`; null for all entries. */
export function labelIn(search: URLSearchParams): ChangelogLabel | null {
  return labels.find((label) => label.toLowerCase() === search.get('label')) ?? null;
}

/** The query of an address that filters the changelog by a label, and goes on after an entry. */
export function searchFor(label: ChangelogLabel | null, after: string | null = null): string {
  const search = new URLSearchParams({ ...(label && { label: label.toLowerCase() }), ...(after && { after }) });
  return search.size > 0 ? `?${search}` : '';
}
