import { setMailPreferences } from '#src/feedback/notifying/preferences.ts';
import { inviteManyByMail } from '#src/identity/team/inviting.ts';
import { MAILS_OF_TEAM } from '#src/identity/team/members.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import type { Visit } from '#src/pages/visit.ts';
import { viewPreferences } from '../mails/preferences.ts';

/** What the step about the team shows. The mails that it proposes are not those of the user until it is sent. */
export function viewTeamStep({ mail }: Visit, { actor, board }: ActorContext) {
  const isNew = board.setup_step !== 0 && board.setup_step <= 4;
  const mails = viewPreferences(isNew ? { ...actor, ...MAILS_OF_TEAM } : actor);
  return { keepsMails: mail.server === null, mails };
}

/**
 * Invites colleagues, and stores which mails the user wants.
 * @returns whether anyone was invited
 */
export async function takeTeamStep(visit: Visit, context: ActorContext, form: Record<string, string>) {
  const emails = (form.emails ?? '').split(/[\s,;]+/).filter((email) => email !== '');
  const role = form.role === 'ADMIN' ? 'ADMIN' : 'MODERATOR';
  if (emails.length > 0) await inviteManyByMail(context, visit.sender.cipher, emails, role);
  const preferences = {
    frequency: form.frequency,
    onNewPost: form.onNewPost === 'on',
    onModeration: form.onModeration === 'on',
  };
  visit.personChanged(await setMailPreferences(context, context.actor, preferences));
  return emails.length > 0;
}
