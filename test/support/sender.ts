import { makeCipher } from '../../src/platform/lib/cipher.ts';
import { decryptBody, type MailRow } from '../../src/platform/mail/mails.ts';
import { renderText } from '../../src/platform/mail/plain.ts';
import { makeAddressRules } from '../../src/webhooks/http/address.ts';
import { makeDialler } from '../../src/webhooks/http/dial.ts';
import { makeResolver } from '../../src/webhooks/http/resolve.ts';
import type { Sender } from '../../src/webhooks/http/sender.ts';

/** What encrypts secrets in the stores of tests. */
export const testCipher = makeCipher('a key for tests only');

/** A sender that may reach this machine, with a limit that tests can wait for. */
export function makeTestSender(deadlineMs = 10_000): Sender {
  const rules = makeAddressRules(['127.0.0.0/8']);
  const resolve = makeResolver({ rules });
  const dial = makeDialler({ rules, resolve, deadlineMs });
  return { rules, resolve, dial, cipher: testCipher, version: '0.0.0-test' };
}

/** The text of a mail in the store, as its recipient reads it. */
export function textOfMail(mail: MailRow): string {
  const body = decryptBody(testCipher, mail);
  return typeof body === 'string' ? body : renderText(body);
}
