import type { Reader, Tx } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { quantity } from '../../platform/lib/quantity.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { disablesAt, type HealthMail, mailDue, notifiedAfter } from '../webhook/health.ts';
import { healthOf, setWebhook, type WebhookRow } from '../webhook/webhooks.ts';
import { type Note, noteUnheard } from './notes.ts';

/** What is needed to compose such a mail. */
export type HealthMailDeps = { baseUrl: string; cipher: Cipher };

/**
 * Queues the mail to the owners that is due about the health of a webhook, if any. It is derived from the row, which
 * the caller has locked: the row stores the last notification, so several workers send one mail.
 * @returns what to log if no owner has an address
 */
export async function queueHealthMail(
  tx: Tx,
  webhook: WebhookRow,
  now: number,
  { baseUrl, cipher }: HealthMailDeps,
): Promise<Note[]> {
  const mail = mailDue(healthOf(webhook), now);
  if (mail === null) return [];
  await setWebhook(tx, webhook, { told: notifiedAfter(mail) });
  const boardId = webhook.board_id;
  const [board] = await boardNames(tx, { boardId });
  if (!board) return [];
  const waiting = (await countWaiting(tx, { boardId, webhookId: webhook.id }))[0]?.count ?? 0;
  const text = describe(mail, webhook, { board: board.name, waiting, now });
  const link = `${baseUrl}/b/${board.pid}/settings/webhooks/${webhook.id}`;
  const addresses = await ownerAddresses(tx, { boardId });
  for (const { email } of addresses) {
    const body = `${text.body}\n\nLog and settings of this webhook:\n${link}\n`;
    await queueMail(tx, cipher, { boardId, recipient: email, subject: text.subject, body }, now);
  }
  return addresses.length === 0 ? [noteUnheard(webhook, mail)] : [];
}

const boardNames = prepare<{ boardId: string }, { name: string; pid: string }>((tx, param) =>
  tx.selectFrom('boards').select(['name', 'pid']).where('id', '=', param('boardId')),
);

const countWaiting = prepare<{ boardId: string; webhookId: string }, { count: number }>((tx, param) =>
  tx
    .selectFrom('deliveries')
    .select((e) => e.cast<number>(e.fn.countAll(), 'integer').as('count'))
    .where('board_id', '=', param('boardId'))
    .where('webhook_id', '=', param('webhookId'))
    .where('state', '=', 'waiting'),
);

/** Whether anyone would be notified of problems with a board's webhooks. */
export async function canNotifyOwners(reader: Reader, boardId: string): Promise<boolean> {
  return (await ownerAddresses(reader, { boardId })).length > 0;
}

const ownerAddresses = prepare<{ boardId: string }, { email: string }>((tx, param) =>
  tx
    .selectFrom('users')
    .select((e) => e.ref('email').$notNull().as('email'))
    .distinct()
    .where('board_id', '=', param('boardId'))
    .where('role', '=', 'OWNER')
    .where('email', 'is not', null)
    .orderBy('email'),
);

/** Only the host of the URL is named: the rest of it may be a secret of the receiver. */
function describe(mail: HealthMail, webhook: WebhookRow, about: { board: string; waiting: number; now: number }) {
  const { subject, lines } = wordsOf(mail, webhook, about);
  const intro = `The board ${about.board} sends events to a webhook at ${webhook.host}.`;
  return { subject: `${subject}: ${webhook.host}`, body: [intro, ...lines].join('\n\n') };
}

function wordsOf(mail: HealthMail, webhook: WebhookRow, { waiting }: { waiting: number }) {
  const events = quantity(waiting, 'event is', 'events are');
  const failure = `The last failure, at ${instantText(webhook.date_last_failure)}: ${webhook.last_failure}`;
  const since = `It has failed ${quantity(webhook.failures_in_row, 'time', 'times in a row')} since ${instantText(webhook.failing_since)}.`;
  switch (mail) {
    case 'failing':
      return {
        subject: 'A webhook is failing',
        lines: [
          since,
          failure,
          `${events} pending. Earshot keeps retrying, and no event is lost: once the webhook works again, they are delivered in order.`,
        ],
      };
    case 'warning':
      return {
        subject: 'A webhook will be disabled in 24 hours',
        lines: [
          since,
          failure,
          `Unless an attempt succeeds before then, it will be disabled at ${instantText(disablesAt(healthOf(webhook)))}. ${events} pending and will be kept.`,
        ],
      };
    case 'disabled':
      return {
        subject: 'A webhook was disabled',
        lines: [
          `${since} It is now disabled.`,
          failure,
          `${events} pending. They are kept, and so are all events from now on. When you enable the webhook again, you choose whether they are delivered in order or skipped.`,
        ],
      };
    case 'recovered':
      return {
        subject: 'A webhook is working again',
        lines: [`It accepts events again. ${events} pending and will be delivered in order.`],
      };
    default:
      return mail satisfies never;
  }
}

function instantText(instant: number | null): string {
  return instant === null ? 'an unknown time' : `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
