import { GraphQLError } from 'graphql';
import type { BoardRow } from '../../identity/board/board.ts';
import { keyOfText } from '../../identity/keys/documents.ts';
import { MAX_DOCUMENTS } from '../../identity/keys/publishable.ts';
import type { UserRow } from '../../identity/users/users.ts';
import { AppError, badRequest, forbidden } from '../../platform/errors.ts';
import { type PublicAdmission, VISITOR_HEADER } from './gate.ts';

/** Who acts: the visitor, or to read, one of whom nothing is known. @throws UNAUTHENTICATED for a change without a visitor */
export function actorOf({ board, visitor }: PublicAdmission, kind: string): UserRow {
  if (visitor) return visitor;
  if (kind === 'query') return anonymousOn(board);
  throw new AppError(
    'UNAUTHENTICATED',
    `To vote, a visitor has to allow it once: send their token as ${VISITOR_HEADER}`,
    {
      field: VISITOR_HEADER,
    },
  );
}

/** A member whom no row is of. */
function anonymousOn({ id: board_id }: BoardRow): UserRow {
  const nothing = { sso_type: null, sso_id: null, name: null, name_folded: null, email: null, bio: null, image: null };
  const mails = { email_on_mention: 0, email_on_status: 0, email_on_comment: 0, email_on_changelog: 0 } as const;
  const teamMails = { email_on_new_post: 0, email_on_moderation: 0, follows_changelog: 0 } as const;
  const settings = {
    attributes: null,
    locale: null,
    time_zone: null,
    mail_frequency: 'OFF',
    date_inbox_seen: null,
  } as const;
  const member = { role: 'MEMBER', is_api_user: 0, standing: 'NORMAL', is_invited: 0, account_id: null } as const;
  return {
    board_id,
    id: '',
    ...nothing,
    ...mails,
    ...teamMails,
    ...settings,
    ...member,
    date_created: 0,
    date_updated: 0,
  };
}

/**
 * The body of a request with the document in the place of what names it: `documentId`, the hash of a persisted query, or
 * the document itself.
 * @throws BAD_REQUEST for another body; FORBIDDEN for a document that is not registered
 */
export function withDocument({ documents }: PublicAdmission, text: string): string {
  const { documentId, query, operationName, variables, extensions } = readBody(text);
  const named = documentId ?? Object(Object(extensions).persistedQuery).sha256Hash;
  const document =
    typeof named === 'string' ? documents.get(named.replace(/^sha256:/, '')) : findText(documents, query);
  if (document !== undefined) return JSON.stringify({ query: document, operationName, variables });
  throw forbidden('This document is not registered for the publishable key: add it in the settings of the key');
}

function readBody(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw badRequest('The body must be a JSON object with documentId, or with a registered document as query');
}

function findText(documents: PublicAdmission['documents'], query: unknown): string | undefined {
  if (typeof query !== 'string') throw badRequest('Send documentId, or a registered document as query', 'documentId');
  if (query.length > MAX_DOCUMENTS) return undefined;
  try {
    return documents.get(keyOfText(query));
  } catch (error) {
    // What is no GraphQL is not registered.
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}
