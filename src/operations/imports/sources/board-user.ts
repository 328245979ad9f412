import type { ImportedPerson } from '../items.ts';
import { personOf } from '../values.ts';
import { rowOf, textOf } from './rows.ts';

/** A user as exports of Earshot and its API have them, who keeps the identity by which the customer's product knows them. */
export function boardUserOf(value: unknown): ImportedPerson | null {
  const user = rowOf(value);
  const [ssoType, ssoId] = [textOf(user.ssoType), textOf(user.ssoId)];
  const identity = ssoType && ssoId ? { ssoType, id: ssoId } : { id: textOf(user.id) };
  return personOf({ ...identity, email: textOf(user.email), name: textOf(user.name) });
}
