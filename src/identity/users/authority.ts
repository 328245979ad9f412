import { forbidden } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { type Role, roles, type UserRow } from './users.ts';

/**
 * Who may do something: the lowest role, whether the author may as well, whether blocked users may not, and what errors
 * call it.
 */
type Rule = { role: Role; own?: true; apiUser?: true; unblocked?: true; words: string };

/** Every right on a board, in one place. */
const rules = {
  'take.part': { role: 'MEMBER', unblocked: true, words: 'take part' },
  'post.edit': { role: 'MODERATOR', own: true, unblocked: true, words: "edit another user's post" },
  'post.delete': { role: 'MODERATOR', own: true, words: "delete another user's post" },
  'post.restore': { role: 'MODERATOR', own: true, unblocked: true, words: 'restore a post that another user deleted' },
  'post.lock': { role: 'MODERATOR', words: 'lock or pin a post' },
  'post.see.team': { role: 'MODERATOR', words: 'see what only the team sees' },
  'post.see.hidden': { role: 'ADMIN', words: 'see hidden posts' },
  'post.moderate': { role: 'MODERATOR', words: 'change the moderation status of a post or comment' },
  'post.merge': { role: 'MODERATOR', words: 'merge or unmerge posts' },
  'post.assign': { role: 'MODERATOR', words: 'assign posts or see assignments' },
  'post.status': { role: 'MODERATOR', words: 'choose the status of a post' },
  'issue.link': { role: 'MODERATOR', words: 'link issues to posts' },
  'status.edit': { role: 'ADMIN', words: 'create, change, delete or rearrange statuses' },
  'post.tags': { role: 'MODERATOR', words: 'change the tags of a post' },
  'tag.edit': { role: 'MODERATOR', words: 'create, change or delete a tag' },
  'field.edit': { role: 'ADMIN', words: 'create, change or delete a field' },
  'field.team': { role: 'MODERATOR', words: 'see fields for the team' },
  'tag.private': { role: 'MODERATOR', words: 'see private tags' },
  'comment.edit': { role: 'MODERATOR', own: true, unblocked: true, words: "edit another user's comment" },
  'comment.internal': { role: 'MODERATOR', words: 'write a comment of type INTERNAL' },
  'comment.official': { role: 'MODERATOR', words: 'write a comment of type OFFICIAL' },
  'comment.restore': {
    role: 'MODERATOR',
    own: true,
    unblocked: true,
    words: 'restore a comment that another user deleted',
  },
  'comment.delete': { role: 'MODERATOR', own: true, words: "delete another user's comment" },
  'changelog.edit': { role: 'MODERATOR', words: 'write or publish changelog entries' },
  'user.email': { role: 'MODERATOR', own: true, apiUser: true, words: "see another user's email address" },
  'user.edit': { role: 'ADMIN', own: true, apiUser: true, words: "change another user's profile" },
  'user.erase': { role: 'ADMIN', own: true, apiUser: true, words: 'erase another user' },
  'customer.see': { role: 'MODERATOR', apiUser: true, words: 'see companies, segments, and who is behind ideas' },
  'company.edit': { role: 'ADMIN', apiUser: true, words: 'change companies, or who belongs to them' },
  'segment.edit': { role: 'MODERATOR', words: 'create, change or delete a segment' },
  'user.standing': { role: 'MODERATOR', words: 'trust or block a user' },
  'user.notes': { role: 'MODERATOR', words: 'see what users did, or write notes on them' },
  'view.use': { role: 'MODERATOR', words: 'use the views of the team' },
  'note.delete': { role: 'ADMIN', own: true, words: "delete another user's note" },
  'team.manage': { role: 'ADMIN', words: 'manage the team' },
  'board.edit': { role: 'ADMIN', words: 'change the settings of the board' },
  'key.manage': { role: 'ADMIN', words: 'manage API keys' },
  'webhook.manage': { role: 'ADMIN', words: 'manage webhooks' },
  'board.create': { role: 'OWNER', words: 'create boards' },
  'api.switch': { role: 'OWNER', words: 'turn the API on or off' },
  'ask.for': { role: 'MODERATOR', words: 'suggest ideas or vote for customers' },
  'act.for': { role: 'ADMIN', apiUser: true, words: 'act for another user or at another time' },
} satisfies Record<string, Rule>;

export type Action = keyof typeof rules;

/** The names of all rights. */
export const actions = Object.keys(rules) as Action[];

/** The properties of the acting user on which rights depend. */
export type Actor = Pick<UserRow, 'id' | 'role' | 'is_api_user' | 'standing'>;

/** The actor of the command line: no user of the board, with the rights of an owner. */
export const operator: Actor = { id: '', role: 'OWNER', is_api_user: 0, standing: 'NORMAL' };

/**
 * Whether the actor may do this; `authorId` is the author of the affected content. An anonymous one (null) may do
 * nothing.
 */
export function may(actor: Actor | null, action: Action, authorId?: string | null): boolean {
  if (actor === null) return false;
  const rule: Rule = rules[action];
  if (rule.unblocked && isBlocked(actor)) return false;
  if (roles.indexOf(actor.role) >= roles.indexOf(rule.role)) return true;
  if (rule.apiUser && actor.is_api_user) return true;
  return rule.own === true && authorId === actor.id;
}

/** Whether moderators have blocked a user. Team members are never blocked, whatever they were before. */
export function isBlocked(actor: Pick<Actor, 'role' | 'standing'> | null): boolean {
  return actor !== null && actor.role === 'MEMBER' && actor.standing === 'BLOCKED';
}

const BLOCKED = msg('userIsBlocked');

/** Roles as errors name them. */
const oneOf = { MEMBER: msg('member'), MODERATOR: msg('moderator'), ADMIN: msg('admin'), OWNER: msg('owner') } as const;
const allOf = {
  MEMBER: msg('members'),
  MODERATOR: msg('moderators'),
  ADMIN: msg('admins'),
  OWNER: msg('owners'),
} as const;

/** As `allOf`, of rights that API users have as well. */
const allWithApiUsers = { ...allOf, MODERATOR: msg('moderatorsAndApiUsers'), ADMIN: msg('adminsAndApiUsers') } as const;

/** @throws FORBIDDEN naming the required role, or stating that the actor is blocked */
export function requireRight(actor: Actor, action: Action, authorId?: string | null): void {
  if (may(actor, action, authorId)) return;
  const rule: Rule = rules[action];
  if (rule.unblocked && isBlocked(actor)) throw forbidden(BLOCKED);
  const needed = (rule.apiUser ? allWithApiUsers : allOf)[rule.role];
  throw forbidden(msg('userRightMissing', needed, rule.words, oneOf[actor.role]));
}

/** Whether a role is not above the user's own. */
export function isWithinRank({ role: own }: Actor, role: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(own);
}

/**
 * No user may grant, remove or change anything of a higher role. @throws FORBIDDEN when a role is above the actor's
 * own
 */
export function requireRank(actor: Actor, role: Role): void {
  if (isWithinRank(actor, role)) return;
  throw forbidden(msg('userRoleTooLow', oneOf[role], oneOf[actor.role]));
}
