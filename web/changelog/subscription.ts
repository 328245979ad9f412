import { changelogLabels } from '#src/feedback/changelog/entries.ts';
import { addSubscriber, findSubscriber, removeSubscribers } from '#src/feedback/changelog/subscribers.ts';
import { requestSubscription } from '#src/feedback/changelog/subscribing.ts';
import { CONFIRM_HOURS } from '#src/feedback/changelog/subscription-links.ts';
import { networkOf } from '#src/platform/http/ip.ts';
import { countAttempt } from '#src/platform/limits/throttle.ts';
import { parseLocale } from '../i18n/format.ts';
import type { View } from '../parts/requests/joining.ts';

/**
 * How the viewer gets the changelog by mail: `own` is the confirmed address of their account, with which one click is
 * enough; null if there is none.
 */
export type SubscriptionView = { own: string | null; isSubscribed: boolean };

export async function viewSubscription(view: View): Promise<SubscriptionView> {
  const own = await findOwnAddress(view);
  const found = own === null ? null : await findSubscriber(view.visit.db.read, view.context.board.id, own);
  return { own, isSubscribed: found !== null };
}

async function findOwnAddress({ visit }: View): Promise<string | null> {
  const account = (await visit.access.current())?.account;
  return account?.is_email_verified === 1 ? account.email : null;
}

/** What came of the form: a link was mailed to this address, to be used within so many hours, or it was added or removed. */
export type SubscriptionChange =
  | { change: 'sent'; email: string; hours: number }
  | { change: 'added' | 'removed'; email: string };

/** Does what the form for the changelog by mail asks for. */
export async function changeSubscription(view: View, form: Record<string, string>): Promise<SubscriptionChange> {
  const { visit, context } = view;
  const { db, clock } = visit;
  const { board } = context;
  const own = await findOwnAddress(view);
  const labels = changelogLabels.filter((label) => form[`label:${label}`] === 'on');
  const wanted = { labels, locale: parseLocale(visit.language() ?? board.locale) };
  if (form.intent === 'subscribe' && own === null) {
    const { cipher } = visit.sender;
    const asking = { cipher, log: visit.log, address: visit.address };
    const email = await requestSubscription(context, asking, { ...wanted, address: form.email ?? '' });
    return { change: 'sent', email, hours: CONFIRM_HOURS };
  }
  if (own === null || !(form.intent === 'subscribe' || form.intent === 'unsubscribe')) {
    throw new Response(null, { status: 400 });
  }
  await countAttempt(db, clock, 'changes from', networkOf(visit.address));
  if (form.intent === 'unsubscribe') {
    await db.transaction((tx) => removeSubscribers(tx, board.id, [own]));
    return { change: 'removed', email: own };
  }
  await addSubscriber(db, board.id, { ...wanted, address: own }, clock.now());
  return { change: 'added', email: own };
}
