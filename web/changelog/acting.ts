import type { LoaderFunctionArgs } from 'react-router';
import type { EntryRow } from '#src/feedback/changelog/entries.ts';
import { publishEntry, stopEntryMails, unpublishEntry } from '#src/feedback/changelog/publishing.ts';
import { changelogReactions, setReaction } from '#src/feedback/changelog/reactions.ts';
import { deleteEntry } from '#src/feedback/changelog/writing.ts';
import { MAX_HOLD_MS } from '#src/feedback/notices/notices.ts';
import { planPublishing, publishAndComplete } from '#src/feedback/releasing/releasing.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { requireMember } from '../parts/requests/member.ts';
import { nameOfStatus } from '../posts/statuses.ts';

/** What publishing does beyond showing the entry. */
export async function viewPlan(args: LoaderFunctionArgs, entry: EntryRow) {
  const { context } = await requireMember(args, 'changelog.edit');
  const { open, completed, mailed } = await planPublishing(context, entry);
  return { open: open.length, status: nameOfStatus(completed?.name ?? ''), mailed };
}

export type PlanView = Awaited<ReturnType<typeof viewPlan>>;

/** Does what a button of the page asks for. @returns where to go on; null to stay on the page that it was sent from */
export async function doWithEntry(
  context: ActorContext,
  entry: EntryRow,
  { intent = '', complete }: Record<string, string>,
): Promise<string | null> {
  const home = `/b/${context.board.pid}/changelog`;
  const [, kind, name] = /^(react|unreact):(\w+)$/.exec(intent) ?? [];
  const reaction = changelogReactions.find((known) => known === name);
  if (reaction) {
    await setReaction(context, entry.id, reaction, kind === 'react');
    return null;
  }
  switch (intent) {
    case 'publish':
      if (complete === 'on') await publishAndComplete(context, entry.id);
      else await publishEntry(context, entry.id, null, MAX_HOLD_MS);
      return `${home}/${entry.number}?done=published`;
    case 'stop-mails':
      return `${home}/${entry.number}?done=${(await stopEntryMails(context, entry.id)) ? 'mailsStopped' : 'mailsTooLate'}`;
    case 'unpublish':
      await unpublishEntry(context, entry.id);
      return `${home}/${entry.number}?done=unpublished`;
    case 'delete':
      await deleteEntry(context, entry.id);
      return `${home}?done=gone`;
    default:
      throw new Response(null, { status: 400 });
  }
}
