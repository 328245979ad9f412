import { type RawBuilder, sql } from 'kysely';
import type { BoardRow } from '../../identity/board/board.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';
import { localTime, startOfHour } from '../../platform/lib/time-zone.ts';
import { kinds, type MailSwitch, type NoticeKind } from '../notices/kinds.ts';

/** Changes to one post within this time are combined into one mail. */
export const GATHERING_MS = 2 * MINUTE_MS;
/** The hour of a digest in the time zone of its reader, and the day of a weekly one: Monday. */
const DIGEST_HOUR = 8;
const DIGEST_WEEKDAY = 1;

/** What decides whether and when a user gets mail. */
export type MailReader = Pick<UserRow, 'email' | 'is_api_user' | 'time_zone' | 'mail_frequency' | MailSwitch>;

/** Whether the user wants mail about changes of this kind, and can get it. */
export function wantsMail(user: MailReader, kind: NoticeKind): boolean {
  return (
    user.email !== null && user.is_api_user === 0 && user.mail_frequency !== 'OFF' && user[kinds[kind].switch] === 1
  );
}

/** As `wantsMail`, in a query on `users`. */
export function isMailed(kind: NoticeKind): RawBuilder<0 | 1> {
  return sql`case when users.email is not null and users.is_api_user = 0 and users.mail_frequency <> 'OFF'
    and ${sql.ref(`users.${kinds[kind].switch}`)} = 1 then 1 else 0 end`;
}

/** When mail about a change that happens now is due. */
export function dueDate(user: MailReader, board: Pick<BoardRow, 'time_zone'>, now: number): number {
  if (user.mail_frequency === 'AT_ONCE' || user.mail_frequency === 'OFF') return now + GATHERING_MS;
  return nextDigest(user.mail_frequency, user.time_zone ?? board.time_zone, now);
}

/** The next morning on which a digest goes out, in milliseconds: at eight in the time zone, whatever its offset is then. */
export function nextDigest(frequency: 'DAILY' | 'WEEKLY', zone: string, now: number): number {
  for (let day = 0; ; day++) {
    const date = localTime(zone, now + day * DAY_MS);
    const morning = startOfHour(zone, { ...date, hour: DIGEST_HOUR });
    if (morning > now && (frequency === 'DAILY' || date.weekday === DIGEST_WEEKDAY)) return morning;
  }
}
