import { isTeam } from '#src/feedback/visibility/posts.ts';
import type { UserRow } from '#src/identity/users/users.ts';

/** What mail a user gets from a board, as pages show it. */
export type MailPreferencesView = ReturnType<typeof viewPreferences>;

/** The mail preferences of a user, for pages. */
export function viewPreferences(user: UserRow) {
  return {
    isTeam: isTeam(user),
    frequency: user.mail_frequency,
    onStatus: user.email_on_status === 1,
    onComment: user.email_on_comment === 1,
    onMention: user.email_on_mention === 1,
    onNewPost: user.email_on_new_post === 1,
    onModeration: user.email_on_moderation === 1,
  };
}

/** The preferences in a form of `MailPreferences`. */
export function preferencesOf(form: Record<string, string>, user: UserRow) {
  const isOn = (name: string) => form[name] === 'on';
  return {
    frequency: form.frequency ?? '',
    onStatus: isOn('onStatus'),
    onComment: isOn('onComment'),
    onMention: isOn('onMention'),
    ...(isTeam(user) && { onNewPost: isOn('onNewPost'), onModeration: isOn('onModeration') }),
  };
}
