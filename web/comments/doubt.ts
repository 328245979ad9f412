import type { Doubt } from '#src/feedback/visibility/posts.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';

/** Why something that came by mail waits. */
export function doubtWords(l: Locale, doubt: Doubt): string {
  return doubt === 'UNPROVEN' ? m.doubtUnproven(l) : m.doubtUnknown(l);
}
