import type { Logger } from '../../platform/lib/log.ts';
import type { Health, HealthMail } from '../webhook/health.ts';
import type { WebhookRow } from '../webhook/webhooks.ts';

/** A line for the log about a webhook; the function that changed it in a transaction logs it after the commit. */
export type Note = { level: 'info' | 'warn'; facts: Record<string, unknown>; text: string };

type Named = Pick<WebhookRow, 'board_id' | 'id'>;
type State = Health['state'];

/**
 * What to log about a webhook that changed its state.
 * @param reason in our own words: sentences about receivers quote their responses and URLs, which may contain secrets
 */
export function noteChange(before: Named & { state: State }, to: State, reason: string): Note[] {
  const from = before.state;
  if (from === to) return [];
  const facts = { webhook: before.id, board: before.board_id, from, to, reason };
  const isTrouble = to === 'failing' || (to === 'disabled' && reason !== BY_A_PERSON && reason !== BY_A_KEY);
  return [{ level: isTrouble ? 'warn' : 'info', facts, text: `Webhook ${before.id} ${wordOf(from, to)}` }];
}

/** The reasons when a user, or a program with a key, enables or disables it. */
export const BY_A_PERSON = 'by a person';
export const BY_A_KEY = 'with an API key';
export type Hand = typeof BY_A_PERSON | typeof BY_A_KEY;

/** What to log if a mail about a webhook is due, and no owner has an address. */
export function noteUnheard({ board_id: board, id }: Named, mail: HealthMail): Note {
  const text = `Webhook ${id}: no owner of the board has an email address for mail about it`;
  return { level: 'warn', facts: { webhook: id, board, mail }, text };
}

export function logNotes(log: Logger, notes: readonly Note[]): void {
  for (const { level, facts, text } of notes) log[level](facts, text);
}

/** The text names the webhook, so that the log does not merge lines about different webhooks. */
function wordOf(from: State, to: State): string {
  switch (to) {
    case 'active':
      return from === 'disabled' ? 'was enabled' : 'has recovered';
    case 'failing':
      return 'is failing';
    case 'disabled':
      return 'was disabled';
    default:
      return to satisfies never;
  }
}
