import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Reader } from '../../platform/db/db.ts';
import { badRequest } from '../../platform/errors.ts';
import type { Cipher } from '../../platform/lib/cipher.ts';
import { makeToken } from '../../platform/lib/ids.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine, requireOneOf } from '../../platform/texts/text.ts';
import { type Actor, requireRight } from '../users/authority.ts';
import type { RequestContext } from '../users/request-context.ts';

/** How the tokens of a board are signed: with a secret that both sides know, or with a key whose public half is published. */
export const ssoAlgorithms = ['HS256', 'JWKS'] as const;
export type SsoAlgorithm = (typeof ssoAlgorithms)[number];

type SsoSettingsTable = {
  board_id: string;
  algorithm: SsoAlgorithm;
  /** Encrypted; null until it was generated. */
  secret: string | null;
  /** The previous secret, while it is still valid; encrypted. */
  previous_secret: string | null;
  jwks_url: string | null;
  /** Where people without a token sign in. */
  login_url: string | null;
  /** Whether tokens may give roles up to ADMIN, and team members may sign in with one. */
  is_role_allowed: 0 | 1;
  /** Whether tokens may be valid forever. */
  is_expiry_optional: 0 | 1;
  /** The claims that are kept as attributes of people, separated by spaces. */
  attribute_claims: string;
  date_updated: number;
};

declare module '../../platform/db/db.ts' {
  interface Tables {
    sso_settings: SsoSettingsTable;
  }
}

export type SsoSettingsRow = Selectable<SsoSettingsTable>;

/** The changes; omitted settings stay unchanged. */
export type SsoChanges = {
  algorithm?: string;
  jwksUrl?: string;
  loginUrl?: string;
  isRoleAllowed?: boolean;
  isExpiryOptional?: boolean;
  attributeClaims?: string;
};

const MAX_URL = 2_048;
const MAX_CLAIMS = 20;

/** How a board checks tokens; null for a board without single sign-on. */
export async function findSsoSettings(reader: Reader, boardId: string): Promise<SsoSettingsRow | null> {
  const query = reader.selectFrom('sso_settings').selectAll().where('board_id', '=', boardId);
  return (await query.executeTakeFirst()) ?? null;
}

/** Who changes them, on which board. */
type Changing = RequestContext & { actor: Actor };

/** Changes how tokens are checked; the first change turns single sign-on on. @throws FORBIDDEN, BAD_REQUEST */
export function changeSsoSettings(context: Changing, changes: SsoChanges): Promise<SsoSettingsRow> {
  return save(context, parseChanges(changes));
}

/**
 * Replaces the secret, by a generated one unless another is given, with further changes. The previous one stays valid
 * until `dropPreviousSecret`, so that users can still sign in.
 */
export function rotateSsoSecret(
  context: Changing,
  cipher: Cipher,
  { changes = {}, secret = makeToken(32) }: { changes?: SsoChanges; secret?: string } = {},
): Promise<SsoSettingsRow> {
  const set = { ...parseChanges(changes), secret: cipher.encrypt(secret, placeOf(context.board.id)) };
  return save(context, set, { previous_secret: sql<string | null>`sso_settings.secret` });
}

/** From now on only the newest secret is valid. */
export function dropPreviousSecret(context: Changing): Promise<SsoSettingsRow> {
  return save(context, { previous_secret: null });
}

/** Turns single sign-on off and ends the sessions of everyone who signed in that way. */
export function removeSso(context: Changing): Promise<void> {
  requireRight(context.actor, 'board.edit');
  return context.db.transaction(async (tx) => {
    await tx.deleteFrom('sso_settings').where('board_id', '=', context.board.id).execute();
    await tx.deleteFrom('board_sessions').where('board_id', '=', context.board.id).execute();
  });
}

/** The valid secrets, the newest first. @throws DecryptionError */
export function decryptSsoSecrets(cipher: Cipher, row: SsoSettingsRow): string[] {
  const encrypted = [row.secret, row.previous_secret].filter((secret) => secret !== null);
  return encrypted.map((secret) => cipher.decrypt(secret, placeOf(row.board_id)));
}

function placeOf(boardId: string): string {
  return `sso_settings.secret ${boardId}`;
}

/** @param kept columns that take their value from the row as it was */
function save(
  context: Changing,
  set: Partial<SsoSettingsRow>,
  kept: { previous_secret?: RawBuilder<string | null> } = {},
): Promise<SsoSettingsRow> {
  requireRight(context.actor, 'board.edit');
  const changed = { ...set, date_updated: context.clock.now() };
  const defaults = { algorithm: 'HS256', is_role_allowed: 0, is_expiry_optional: 0, attribute_claims: '' } as const;
  return context.db.transaction((tx) =>
    tx
      .insertInto('sso_settings')
      .values({ board_id: context.board.id, ...defaults, ...changed })
      .onConflict((c) => c.column('board_id').doUpdateSet({ ...changed, ...kept }))
      .returningAll()
      .executeTakeFirstOrThrow(),
  );
}

function parseChanges(changes: SsoChanges): Partial<SsoSettingsRow> {
  const { algorithm, jwksUrl, loginUrl, isRoleAllowed, isExpiryOptional, attributeClaims } = changes;
  return {
    ...(algorithm !== undefined && { algorithm: requireOneOf(ssoAlgorithms, algorithm, 'algorithm') }),
    ...(jwksUrl !== undefined && { jwks_url: parseUrl(jwksUrl, 'jwksUrl') }),
    ...(loginUrl !== undefined && { login_url: parseUrl(loginUrl, 'loginUrl') }),
    ...(isRoleAllowed !== undefined && { is_role_allowed: flag(isRoleAllowed) }),
    ...(isExpiryOptional !== undefined && { is_expiry_optional: flag(isExpiryOptional) }),
    ...(attributeClaims !== undefined && { attribute_claims: parseClaims(attributeClaims) }),
  };
}

function flag(isOn: boolean): 0 | 1 {
  return isOn ? 1 : 0;
}

function parseUrl(text: string, field: string): string | null {
  const line = requireLine(text, { field, min: 0, max: MAX_URL });
  if (line === '') return null;
  const { protocol = '', username, password } = URL.parse(line) ?? {};
  // The settings show the address to every admin, and nothing is requested with a password.
  if (username || password) throw badRequest(msg('addressWithUser'), field);
  if (/^https?:$/.test(protocol)) return line;
  throw badRequest(msg('ssoAddressIncomplete'), field);
}

/** Names of claims, however they are separated. */
function parseClaims(text: string): string {
  const line = requireLine(text, { field: 'attributeClaims', min: 0, max: 1_000 });
  const claims = [...new Set(line.split(/[\s,]+/).filter(Boolean))];
  if (claims.length <= MAX_CLAIMS && claims.every((claim) => claim.length <= 100)) return claims.join(' ');
  throw badRequest(msg('ssoTooManyClaims', MAX_CLAIMS, 100), 'attributeClaims');
}
