import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireOneOf } from '../../platform/texts/text.ts';
import { changeSettings } from '../activity/board.ts';
import { accessKinds, approvals, type BoardRow, requireDomain } from '../board/board.ts';
import { requireRight } from '../users/authority.ts';
import type { ActorContext } from '../users/request-context.ts';

/** Changes to the access settings; omitted ones stay unchanged. Texts are as typed. */
export type AccessChanges = {
  access?: string | undefined;
  mailDomains?: string | undefined;
  approval?: string | undefined;
};

/** Maximum number of email domains that a board may allow. */
export const MAX_MAIL_DOMAINS = 50;

/** Changes who may see a board and what needs approval. @throws FORBIDDEN; BAD_REQUEST naming the field */
export function changeAccess(context: ActorContext, changes: AccessChanges): Promise<BoardRow> {
  requireRight(context.actor, 'board.edit');
  const { access, mailDomains, approval } = changes;
  const set = {
    ...(access !== undefined && { access: requireOneOf(accessKinds, access, 'access') }),
    ...(mailDomains !== undefined && { mail_domains: parseMailDomains(mailDomains) }),
    ...(approval !== undefined && { approval: requireOneOf(approvals, approval, 'approval') }),
  };
  return context.db.transaction((tx) => changeSettings(tx, context, set));
}

/** Domains however they are separated, with or without the @ before them. */
function parseMailDomains(text: string): string {
  const line = requireLine(text.replaceAll(/\s/g, ' '), { field: 'mailDomains', min: 0, max: 10_000 });
  const parts = line.split(/[\s,;]+/).filter(Boolean);
  if (parts.length > MAX_MAIL_DOMAINS) throw badRequest(msg`At most ${MAX_MAIL_DOMAINS} email domains`, 'mailDomains');
  return [...new Set(parts.map((part) => requireDomain(part.replace(/^@/, ''), 'mailDomains')))].join(' ');
}
