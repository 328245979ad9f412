import { availableParallelism } from 'node:os';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { Lane } from '../../platform/lib/lane.ts';

/** How passwords are hashed and compared. */
export type Passwords = { hash: typeof hashPassword; verify: typeof verifyPassword };

/**
 * The hashing of better-auth, a few at a time in the order of arrival. Each takes 80 ms of a processor and 32 MB on one
 * of the four threads that also sync commits: many simultaneous sign-ins leave half of these free, and a processor for
 * everything else.
 */
export function makePasswords(atOnce = Math.max(1, Math.min(2, availableParallelism() - 1))): Passwords {
  const lane = new Lane(atOnce);
  return {
    hash: (password) => lane.within(() => hashPassword(password)),
    verify: (pair) => lane.within(() => verifyPassword(pair)),
  };
}
