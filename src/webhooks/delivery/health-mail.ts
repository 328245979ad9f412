import { type BoardRow, requireBoard } from '../../identity/board/board.ts';
import { mailBrandOf } from '../../identity/users/mail-brand.ts';
import type { UserRow } from '../../identity/users/users.ts';
import type { Reader, Tx } from '../../platform/db/db.ts';
import { prepare } from '../../platform/db/prepare.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { formatInstant } from '../../platform/lib/time-zone.ts';
import { type Letter, type LetterPart, writeLetter } from '../../platform/mail/letter.ts';
import { queueMail } from '../../platform/mail/mails.ts';
import { joinMessages, type LocalizedMessage, msg, quote } from '../../platform/messages.ts';
import { afterMail, disablesAt, type HealthMail, mailDue } from '../webhook/health.ts';
import { healthColumns, healthOf } from '../webhook/health-columns.ts';
import { setWebhook, type WebhookRow } from '../webhook/webhooks.ts';
import { countBacklog } from './backlog.ts';
import { type Note, noteUnheard } from './log-lines.ts';

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
  const health = healthOf(webhook);
  const mail = mailDue(health, now);
  if (mail === null) return [];
  await setWebhook(tx, webhook, healthColumns(afterMail(health, mail, now)));
  const boardId = webhook.board_id;
  const board = await requireBoard(tx, boardId);
  // Anyone can own a sandbox, so it must not send mail to others.
  if (board.sandbox_visitor !== null) return [];
  const waiting = await countBacklog(tx, boardId, webhook.id);
  const owners = await findOwners(tx, { boardId });
  for (const owner of new Map(owners.map((one) => [one.email, one])).values()) {
    const letter = describe(mail, { board, webhook, waiting, owner, baseUrl, now });
    const written = writeLetter(letter, { brand: mailBrandOf(board, baseUrl), language: owner.locale ?? board.locale });
    await queueMail(tx, cipher, { boardId, ...written }, now);
  }
  return owners.length === 0 ? [noteUnheard(webhook, mail)] : [];
}

/** Whether anyone would be notified of problems with a board's webhooks. */
export async function canNotifyOwners(reader: Reader, boardId: string): Promise<boolean> {
  return (await findOwners(reader, { boardId })).length > 0;
}

/** An owner with an address; two of them may have the same. */
type Owner = Pick<UserRow, 'locale' | 'time_zone'> & { email: string };

const findOwners = prepare<{ boardId: string }, Owner>((tx, param) =>
  tx
    .selectFrom('users')
    .select((e) => ['locale', 'time_zone', e.ref('email').$notNull().as('email')])
    .where('board_id', '=', param('boardId'))
    .where('role', '=', 'OWNER')
    .where('email', 'is not', null)
    .orderBy('email')
    .orderBy('id'),
);

type About = { board: BoardRow; webhook: WebhookRow; waiting: number; owner: Owner; baseUrl: string; now: number };

/** Only the host of the URL is named: the rest of it may be a secret of the receiver. */
function describe(mail: HealthMail, about: About): Letter {
  const { board, webhook, owner, baseUrl } = about;
  const { subject, sentences } = wordsOf(mail, about);
  const parts = [msg`${board.name} sends events to a webhook at ${webhook.host}.`, ...sentences];
  return {
    recipient: owner.email,
    subject: msg`${subject}: ${webhook.host}`,
    parts: [
      ...parts.map((text): LetterPart => ({ kind: 'text', text })),
      {
        kind: 'button',
        label: msg`View the webhook`,
        url: `${baseUrl}/b/${board.pid}/settings/webhooks/${webhook.id}`,
      },
    ],
    reason: msg`You are receiving this email because you own ${board.name}.`,
  };
}

function wordsOf(mail: HealthMail, about: About): { subject: LocalizedMessage; sentences: LocalizedMessage[] } {
  const { webhook, waiting, now } = about;
  const events = countEvents(waiting);
  const failure = msg`The last failure was on ${instant(about, webhook.date_last_failure ?? now)}: ${failureOf(webhook)}`;
  switch (mail) {
    case 'failing':
      return {
        subject: msg`A webhook is failing`,
        sentences: [
          since(about),
          failure,
          joinMessages(
            events,
            msg`Earshot keeps retrying, and no event is lost: once the webhook works again, pending events are delivered in order.`,
          ),
        ],
      };
    case 'warning':
      return {
        subject: msg`A webhook will be disabled in 24 hours`,
        sentences: [
          since(about),
          failure,
          msg`Unless an attempt succeeds before then, it will be disabled on ${instant(about, disablesAt(healthOf(webhook)) ?? now)}.`,
          joinMessages(events, msg`Pending events are kept.`),
        ],
      };
    case 'disabled':
      return {
        subject: msg`A webhook was disabled`,
        sentences: [
          joinMessages(since(about), msg`It is now disabled.`),
          failure,
          joinMessages(
            events,
            msg`Pending events are kept, and so are all events from now on. When you enable the webhook again, you choose whether they are delivered in order or skipped.`,
          ),
        ],
      };
    case 'recovered':
      return {
        subject: msg`A webhook is working again`,
        sentences: [
          joinMessages(
            msg`It accepts events again.`,
            events,
            ...(waiting > 0 ? [msg`Pending events are delivered in order.`] : []),
          ),
        ],
      };
    default:
      return mail satisfies never;
  }
}

function countEvents(waiting: number): LocalizedMessage {
  if (waiting === 0) return msg`No events are pending.`;
  return waiting === 1 ? msg`One event is pending.` : msg`${waiting} events are pending.`;
}

function since(about: About): LocalizedMessage {
  const { failures_in_row: failures, failing_since, failure_share: share, troubled_since } = about.webhook;
  if (failures < 3 && troubled_since !== null) {
    return msg`About ${Math.round(share / 100)} of 10 attempts have failed since ${instant(about, troubled_since)}.`;
  }
  const begun = instant(about, failing_since ?? about.now);
  return failures === 1 ? msg`It failed on ${begun}.` : msg`It has failed ${failures} times in a row since ${begun}.`;
}

function failureOf({ last_failure: text, last_failure_said: said }: WebhookRow): LocalizedMessage {
  return said === null ? quote(text ?? '') : { text: text ?? '', parts: JSON.parse(said) };
}

/** An instant as text for the owner. */
function instant({ owner, board }: About, at: number): string {
  return formatInstant(owner.locale ?? board.locale, owner.time_zone ?? board.time_zone, at);
}
