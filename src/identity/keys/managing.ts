import { createHmac } from 'node:crypto';
import { updateRow } from '../../platform/db/rows.ts';
import { badRequest, conflict } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';
import { requireLine } from '../../platform/texts/text.ts';
import { requireRight } from '../users/authority.ts';
import type { ActorContext } from '../users/request-context.ts';
import { readBudget, storeBudget } from './budget.ts';
import {
  createKey,
  hashKey,
  KEY_START,
  type KeyRow,
  type NewKey,
  requireBlocks,
  requireKey,
  revokeKey,
} from './keys.ts';

export type KeySettings = Required<
  Pick<NewKey, 'name' | 'permissions' | 'allowedIps' | 'rateRules' | 'expiresAt' | 'budget'>
>;

/** A form that creates a key: the same form sent twice creates and shows the same one. */
export type KeyForm = { serverSecret: string; nonce: string };

/**
 * Creates a key from a form. The key is derived from the form's content and a server secret, so a second click, whose
 * response is the one that a browser shows, finds the key of the first.
 */
export async function issueKey(
  context: ActorContext,
  settings: KeySettings & Pick<NewKey, 'defaultUserId' | 'isBound'>,
  form: KeyForm,
): Promise<{ key: string; row: KeyRow }> {
  requireRight(context.actor, 'key.manage');
  const key = deriveKey(context, form);
  const again = await findByHash(context, key);
  if (again) return { key, row: again };
  const { defaultUserId = null, isBound = false } = settings;
  const required = requireSettings(settings, context.clock.now());
  return createKey(context, { ...required, defaultUserId, isBound, madeBy: context.actor.id, key });
}

/** Changes what a key may do. */
export function changeKey(context: ActorContext, id: string, settings: KeySettings): Promise<KeyRow> {
  requireRight(context.actor, 'key.manage');
  const { name, permissions, allowedIps, rateRules, expiresAt, budget } = requireSettings(
    settings,
    context.clock.now(),
  );
  return context.db.transaction(async (tx) => {
    const before = await requireKey(tx, context.board.id, id);
    if (before.date_revoked !== null) throw conflict(msg('keyIsRevoked'));
    return updateRow(tx, 'api_keys', before, {
      name: requireLine(name, { field: 'name', min: 1, max: 100 }),
      permissions: permissions.join(','),
      allowed_ips: JSON.stringify(requireBlocks(allowedIps)),
      rate_limits: JSON.stringify(rateRules),
      date_expires: expiresAt,
      budget: storeBudget(budget),
    });
  });
}

/**
 * Creates a key with the settings of another, which keeps working for the overlap.
 * @param overlapMs 0 ends the old one at once
 */
export async function rotateKey(
  context: ActorContext,
  id: string,
  overlapMs: number,
  form: KeyForm,
): Promise<{ key: string; row: KeyRow }> {
  requireRight(context.actor, 'key.manage');
  const key = deriveKey(context, form);
  const again = await findByHash(context, key);
  if (again) return { key, row: again };
  const old = await requireKey(context.db.read, context.board.id, id);
  if (old.date_revoked !== null) throw conflict(msg('keyIsRevoked'));
  if (old.client_id !== null) throw conflict(msg('keyOfAgent'));
  const made = await createKey(context, {
    name: old.name,
    permissions: old.permissions.split(',') as KeySettings['permissions'],
    allowedIps: JSON.parse(old.allowed_ips),
    rateRules: JSON.parse(old.rate_limits),
    expiresAt: old.date_expires,
    budget: readBudget(old.budget),
    defaultUserId: old.default_user_id,
    isBound: old.is_bound === 1,
    madeBy: context.actor.id,
    key,
  });
  const ends = context.clock.now() + overlapMs;
  const set = { date_expires: old.date_expires === null ? ends : Math.min(old.date_expires, ends) };
  await context.db.transaction((tx) => updateRow(tx, 'api_keys', old, set));
  return made;
}

/** Revokes a key permanently. @param typedName what was typed to confirm it */
export async function withdrawKey(context: ActorContext, id: string, typedName: string): Promise<KeyRow> {
  requireRight(context.actor, 'key.manage');
  const key = await requireKey(context.db.read, context.board.id, id);
  if (typedName.trim() !== key.name) throw badRequest(msg('keyNameMistyped'), 'confirm');
  return revokeKey(context, id);
}

function deriveKey({ board, actor }: ActorContext, { serverSecret, nonce }: KeyForm): string {
  if (!/^[\w-]{43}$/.test(nonce)) throw badRequest(msg('formIncomplete'), 'name');
  const hmac = createHmac('sha256', `earshot keys of forms ${serverSecret}`);
  return KEY_START + hmac.update(JSON.stringify([board.id, actor.id, nonce])).digest('base64url');
}

async function findByHash({ db, board }: ActorContext, key: string): Promise<KeyRow | null> {
  const query = db.read.selectFrom('api_keys').selectAll().where('board_id', '=', board.id);
  return (await query.where('hash', '=', hashKey(key)).executeTakeFirst()) ?? null;
}

function requireSettings(settings: KeySettings, now: number): KeySettings {
  if (settings.permissions.length === 0) throw badRequest(msg('keyNeedsPermission'), 'permissions');
  if (settings.expiresAt !== null && settings.expiresAt <= now) {
    throw badRequest(msg('keyExpiryPast'), 'expires');
  }
  return settings;
}
