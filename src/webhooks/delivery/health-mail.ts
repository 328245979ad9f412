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
  const parts = [msg('webhookMailSends', board.name, webhook.host), ...sentences];
  return {
    recipient: owner.email,
    subject: msg('webhookMailSubject', subject, webhook.host),
    parts: [
      ...parts.map((text): LetterPart => ({ kind: 'text', text })),
      {
        kind: 'button',
        label: msg('webhookMailView'),
        url: `${baseUrl}/b/${board.pid}/settings/webhooks/${webhook.id}`,
      },
    ],
    reason: msg('webhookMailReason', board.name),
  };
}

function wordsOf(mail: HealthMail, about: About): { subject: LocalizedMessage; sentences: LocalizedMessage[] } {
  const { webhook, waiting, now } = about;
  const events = countEvents(waiting);
  const failure = msg('webhookMailLastFailure', instant(about, webhook.date_last_failure ?? now), failureOf(webhook));
  switch (mail) {
    case 'failing':
      return {
        subject: msg('webhookMailSubjectFailing'),
        sentences: [since(about), failure, joinMessages(events, msg('webhookMailRetries'))],
      };
    case 'warning':
      return {
        subject: msg('webhookMailSubjectWarning'),
        sentences: [
          since(about),
          failure,
          msg('webhookMailDisablesOn', instant(about, disablesAt(healthOf(webhook)) ?? now)),
          joinMessages(events, msg('webhookMailKept')),
        ],
      };
    case 'disabled':
      return {
        subject: msg('webhookMailSubjectDisabled'),
        sentences: [
          joinMessages(since(about), msg('webhookMailNowDisabled')),
          failure,
          joinMessages(events, msg('webhookMailAllKept')),
        ],
      };
    case 'recovered':
      return {
        subject: msg('webhookMailSubjectWorking'),
        sentences: [
          joinMessages(msg('webhookMailAccepts'), events, ...(waiting > 0 ? [msg('webhookMailInOrder')] : [])),
        ],
      };
    default:
      return mail satisfies never;
  }
}

function countEvents(waiting: number): LocalizedMessage {
  if (waiting === 0) return msg('webhookMailNonePending');
  return waiting === 1 ? msg('webhookMailOnePending') : msg('webhookMailManyPending', waiting);
}

function since(about: About): LocalizedMessage {
  const { failures_in_row: failures, failing_since, failure_share: share, troubled_since } = about.webhook;
  if (failures < 3 && troubled_since !== null) {
    return msg('webhookMailShareFailed', Math.round(share / 100), instant(about, troubled_since));
  }
  const begun = instant(about, failing_since ?? about.now);
  return failures === 1 ? msg('webhookMailFailedOnce', begun) : msg('webhookMailFailedTimes', failures, begun);
}

function failureOf({ last_failure: text, last_failure_said: said }: WebhookRow): LocalizedMessage {
  return said === null ? quote(text ?? '') : { text: text ?? '', parts: JSON.parse(said) };
}

/** An instant as text for the owner. */
function instant({ owner, board }: About, at: number): string {
  return formatInstant(owner.locale ?? board.locale, owner.time_zone ?? board.time_zone, at);
}
