import { notFound } from '../../platform/errors.ts';
import { type Cipher, DecryptionError } from '../../platform/lib/cipher.ts';

/** What the links of a mail are for: the mail settings of one user on one board, or one post that they follow there. */
export type MailRight = { boardId: string; userId: string; postId: string | null };

/** What a token is encrypted for. */
const PLACE = 'link to the settings of mail';

/** A token for the links of a mail. It works without signing in, never expires, and grants nothing else. */
export function makeMailToken(cipher: Cipher, { boardId, userId, postId }: MailRight): string {
  return cipher.encrypt(JSON.stringify([boardId, userId, postId]), PLACE);
}

/** What a token is for. @throws NOT_FOUND if it is not one of our own */
export function readMailToken(cipher: Cipher, token: string): MailRight {
  try {
    const [boardId, userId, postId] = JSON.parse(cipher.decrypt(token, PLACE));
    return { boardId, userId, postId };
  } catch (error) {
    if (!(error instanceof DecryptionError)) throw error;
    throw notFound('Link');
  }
}

/** Where a token leads: a page that changes nothing until its button is pressed, and takes the POST of RFC 8058. */
export function mailUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/email/${token}`;
}
