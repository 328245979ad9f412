import assert from 'node:assert/strict';
import jsonwebtoken from 'jsonwebtoken';
import type { TestWeb, WebVisitor } from './web.ts';

/** A board with single sign-on, its owner, and what signs its tokens. */
export async function openSso(web: TestWeb, settings: Record<string, string> = {}) {
  const owner = await web.makeMember('Olga', 'OWNER');
  const saved = await owner.post('/b/acme/settings/sso', { intent: 'save', algorithm: 'HS256', ...settings });
  assert.equal(saved.statusCode, 302, saved.payload);
  const secret = await rotate(owner);
  const sign = (claims: object, key = secret) =>
    jsonwebtoken.sign({ exp: web.clock.now() / 1_000 + 300, ...claims }, key, { noTimestamp: true });
  return { owner, secret, sign };
}

/** Creates another secret of the board, and gives it. */
export async function rotate(owner: WebVisitor): Promise<string> {
  const { payload } = await owner.post('/b/acme/settings/sso', { intent: 'rotate' });
  return /<code class="secret"[^>]*>([\w-]{43})<\/code>/.exec(payload)?.[1] ?? assert.fail('no secret is shown');
}

/** Turns single sign-on on for a board without signed-in users. */
export async function turnOnSso(
  { db, clock }: TestWeb,
  boardId: string,
  settings: { login_url?: string; secret?: string },
) {
  const rules = { algorithm: 'HS256', is_role_allowed: 0, is_expiry_optional: 0, attribute_claims: '' } as const;
  const row = { board_id: boardId, ...rules, ...settings, date_updated: clock.now() };
  await db.transaction((tx) => tx.insertInto('sso_settings').values(row).execute());
}

/** The users of the API with an id of single sign-on. */
export const usersOf = ({ db }: TestWeb, id: string) =>
  db.read.selectFrom('users').selectAll().where('sso_id', '=', id).execute();
