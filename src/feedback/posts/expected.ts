import { badRequest } from '../../platform/errors.ts';
import { msg } from '../../platform/messages.ts';

const EXPECTED = /^20\d\d-(?:Q[1-4]|0[1-9]|1[0-2])$/;

/** When a post is expected, from outside; null for an empty text. @throws BAD_REQUEST */
export function parseExpected(raw: string): string | null {
  const text = raw.slice(0, 20).trim().toUpperCase();
  if (text === '') return null;
  if (EXPECTED.test(text)) return text;
  throw badRequest(msg('postExpectedInvalid'), 'expected');
}

/** The quarters and months that a post can be expected in from now on: two years of quarters, and one of months. */
export function listExpectable(now: number): string[] {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth()];
  const quarters = Array.from({ length: 8 }, (_, n) => {
    const quarter = Math.floor(month / 3) + n;
    return `${year + Math.floor(quarter / 4)}-Q${(quarter % 4) + 1}`;
  });
  const months = Array.from({ length: 12 }, (_, n) => {
    const number = String(((month + n) % 12) + 1).padStart(2, '0');
    return `${year + Math.floor((month + n) / 12)}-${number}`;
  });
  return [...quarters, ...months];
}
