import { hash, randomBytes, randomUUID } from 'node:crypto';
import { badRequest } from '../errors.ts';

const ID_LENGTH = 36;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The millisecond of the newest id as its first 12 digits, and how many ids this process has generated in it. */
let newest = { millisecond: '', count: 0 };

/**
 * A new row id: a UUIDv7 in lower case. Ids of one process sort in the order of creation, even within a millisecond:
 * the 12 bits after the version count (RFC 9562, section 6.2, method 1).
 */
export function makeId(): string {
  const millisecond = withDash(Date.now());
  if (millisecond > newest.millisecond) newest = { millisecond, count: 0 };
  else if (newest.count < 0xfff) newest.count++;
  else newest = { millisecond: nextMillisecond(newest.millisecond), count: 0 };
  return `${newest.millisecond}-7${newest.count.toString(16).padStart(3, '0')}${randomUUID().slice(18)}`;
}

function nextMillisecond(millisecond: string): string {
  return withDash(Number.parseInt(millisecond.replace('-', ''), 16) + 1);
}

function withDash(millisecond: number): string {
  const digits = millisecond.toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}`;
}

/** Whether a text from outside has the form of a row id. Anything else identifies nothing and needs no lookup. */
export function isId(text: string): boolean {
  return text.length === ID_LENGTH && UUID.test(text);
}

/**
 * The id of what a form creates: with the time of the form's own id, and the same whenever the same form is sent with
 * the same texts.
 */
export function deriveId(formId: string, ...texts: readonly string[]): string {
  const digits = hash('sha256', JSON.stringify([formId, ...texts]), 'hex');
  return `${formId.slice(0, 14)}7${digits.slice(0, 3)}-8${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}

/** An id that a client has chosen for a new row. @throws BAD_REQUEST if it is not a UUID */
export function requireOwnId(raw: string): string {
  const id = raw.slice(0, ID_LENGTH + 1).toLowerCase();
  if (isId(id)) return id;
  throw badRequest('id must be a UUID; leave it out for a new one', 'id');
}

/** `bytes` random bytes as base64url text. */
export function makeToken(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}
