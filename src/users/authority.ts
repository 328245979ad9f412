import { forbidden } from '../errors.ts';
import { say } from '../lib/say.ts';
import { type Role, roles, type UserRow } from './users.ts';

/** Who may do something: from which role on, whether the author of the thing may as well, and the words for it. */
type Rule = { role: Role; own?: true; apiUser?: true; words: string };

/** Every right on a board, in one place. */
const rules = {
  'post.edit': { role: 'MODERATOR', own: true, words: 'edit a post of somebody else' },
  'post.delete': { role: 'MODERATOR', own: true, words: 'delete a post of somebody else' },
  'post.restore': { role: 'MODERATOR', own: true, words: 'restore a post that somebody else deleted' },
  'post.moderate': { role: 'MODERATOR', words: 'lock or pin a post' },
  'post.see.team': { role: 'MODERATOR', words: 'see what is for the team' },
  'post.see.hidden': { role: 'ADMIN', words: 'see hidden posts' },
  'post.judge': { role: 'MODERATOR', words: 'change the moderation status of a post or comment' },
  'post.merge': { role: 'MODERATOR', words: 'merge posts or undo it' },
  'post.assign': { role: 'MODERATOR', words: 'assign posts or see assignments' },
  'post.status': { role: 'MODERATOR', words: 'choose the status of a post' },
  'status.edit': { role: 'ADMIN', words: 'create, change, delete or rearrange statuses' },
  'post.tags': { role: 'MODERATOR', words: 'change the tags of a post' },
  'tag.edit': { role: 'MODERATOR', words: 'create, change or delete a tag' },
  'field.edit': { role: 'ADMIN', words: 'create, change or delete a field' },
  'field.team': { role: 'MODERATOR', words: 'see fields for the team' },
  'tag.private': { role: 'MODERATOR', words: 'see private tags' },
  'comment.edit': { role: 'MODERATOR', own: true, words: 'edit a comment of somebody else' },
  'comment.internal': { role: 'MODERATOR', words: 'write a comment of type INTERNAL' },
  'comment.official': { role: 'MODERATOR', words: 'write a comment of type OFFICIAL' },
  'comment.delete': { role: 'MODERATOR', own: true, words: 'delete a comment of somebody else' },
  'user.email': { role: 'MODERATOR', own: true, apiUser: true, words: 'see the e-mail address of somebody else' },
  'user.edit': { role: 'ADMIN', own: true, apiUser: true, words: 'change the profile of somebody else' },
  'user.erase': { role: 'ADMIN', own: true, apiUser: true, words: 'erase somebody else' },
  'team.manage': { role: 'ADMIN', words: 'manage the team' },
  'board.edit': { role: 'ADMIN', words: 'change the settings of the board' },
  'key.manage': { role: 'ADMIN', words: 'manage API keys' },
  'webhook.manage': { role: 'ADMIN', words: 'manage webhooks' },
  'plan.change': { role: 'OWNER', words: 'change the plan' },
  'act.for': { role: 'ADMIN', apiUser: true, words: 'act for somebody else or at another time' },
} satisfies Record<string, Rule>;

export type Action = keyof typeof rules;

/** Whether the actor may do this; `authorId` is whose thing it is done to. */
export function may(actor: UserRow, action: Action, authorId?: string | null): boolean {
  const rule: Rule = rules[action];
  if (roles.indexOf(actor.role) >= roles.indexOf(rule.role)) return true;
  if (rule.apiUser && actor.is_api_user) return true;
  return rule.own === true && authorId === actor.id;
}

/** @throws FORBIDDEN naming the role that is needed */
export function requireRight(actor: UserRow, action: Action, authorId?: string | null): void {
  if (may(actor, action, authorId)) return;
  const rule: Rule = rules[action];
  const needed = rule.apiUser ? `${rule.role} or a user with isApiUser` : rule.role;
  throw forbidden(say`To ${rule.words} needs the role ${needed}; this user is ${actor.role}`);
}

/** Whether a role is not above that of somebody. */
export function isWithinRank({ role: own }: UserRow, role: Role): boolean {
  return roles.indexOf(role) <= roles.indexOf(own);
}

/** Nobody gives, takes or changes what belongs to a higher role. @throws FORBIDDEN when a role is above the actor's own */
export function requireRank(actor: UserRow, role: Role): void {
  if (isWithinRank(actor, role)) return;
  throw forbidden(say`The role ${role} is above your own, which is ${actor.role}`);
}
