import { DAY_MS, MINUTE_MS } from '../../platform/lib/clock.ts';

/** What a visitor signs in for, as the mail says it. */
export type SignInReason = {
  /** The board that they come from, in whose name the mail is if its recipient may see it. */
  boardId: string | null;
  /** The language that they read, for a recipient without an account. */
  language: string | null;
  /** What they have started; the title is that of a post that everyone sees, and empty if there is none. */
  begun: { kind: 'vote' | 'post' | 'comment'; title: string } | null;
};

/** What is mailed for signing in: the token of a link, and a code that works in the browser that asked for it. */
export type SignInMail = {
  email: string;
  token: string;
  code: string;
  /** The path to go on to. */
  next: string | null;
  reason: SignInReason | null;
};

/** How long a link to sign in, or to choose a new password, can be used; also the window of limits in `throttle.ts`. */
export const LINK_MINUTES = 30;

/** How long a session lasts without use; those of the team are shorter. */
export const SESSION_MS = 90 * DAY_MS;
export const TEAM_SESSION_MS = 7 * DAY_MS;

/** How long after signing in an account without a password may change how it signs in, without another code. */
export const FRESH_MS = 15 * MINUTE_MS;

/** Length limits of a password in characters. */
export const PASSWORD = { min: 10, max: 128 } as const;

/** The header that gives better-auth the address of the client; only we set it. */
export const ADDRESS_HEADER = 'x-earshot-address';

/** The path below which the pictures of accounts are served. */
export const PICTURE_PATH = '/pictures';

/** Whether a picture was uploaded here; others are URLs elsewhere. */
export function isOwnPicture(image: string | null): image is string {
  return image?.startsWith(`${PICTURE_PATH}/`) ?? false;
}
