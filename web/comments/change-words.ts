import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import type { ChangeView } from './history.ts';

/** What stands for the parts of a change in its sentence. */
export type ChangeParts = Record<'who' | 'from' | 'to' | 'post', string>;

/** A change of a post as a sentence. It names only the statuses that the viewer may see. */
export function wordsOfChange(l: Locale, change: ChangeView, parts: ChangeParts): string {
  switch (change.type) {
    case 'STATUS_CHANGE':
      if (!change.to) return m.historyStatusHidden(l, parts);
      return change.from ? m.historyStatus(l, parts) : m.historyStatusTo(l, parts);
    case 'TITLE_CHANGE':
      return m.historyTitle(l, parts);
    case 'MERGE_SOURCE':
      return m.historyMergedAway(l, parts);
    case 'MERGE_TARGET':
      return change.votes ? m.historyMergedVotes(l, { ...parts, count: change.votes }) : m.historyMerged(l, parts);
    default:
      return change satisfies never;
  }
}

/** A change of a post as plain text. */
export function printChange(l: Locale, change: ChangeView, who: string): string {
  switch (change.type) {
    case 'STATUS_CHANGE':
      return wordsOfChange(l, change, { who, from: change.from?.name ?? '', to: change.to?.name ?? '', post: '' });
    case 'TITLE_CHANGE':
      return wordsOfChange(l, change, { who, from: change.from, to: change.to, post: '' });
    default:
      return wordsOfChange(l, change, { who, from: '', to: '', post: change.post?.title ?? `#${change.number}` });
  }
}
