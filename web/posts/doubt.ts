import type { PostRow } from '#src/feedback/posts/posts.ts';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';

/** Why what came by mail waits, for moderators; null for all else. */
export function doubtOf(row: Pick<PostRow, 'doubt' | 'moderation_status'>, l: Locale): string | null {
  if (row.doubt === null || row.moderation_status !== 'PENDING') return null;
  return row.doubt === 'UNPROVEN' ? m.doubtUnproven(l) : m.doubtUnknown(l);
}
