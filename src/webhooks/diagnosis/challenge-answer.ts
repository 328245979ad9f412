import { joinMessages, type LocalizedMessage, msg } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import type { Answer } from '../http/exchange.ts';
import type { Diagnosis } from './faults.ts';
import { bodyText, encodingOf, hideSecrets, isWebPage } from './receiver-text.ts';

/** What the body of the response had to be, the token that was sent, and what no sentence may repeat. */
type Expected = { challenge: string; verifyToken: string | null; secrets: readonly string[] };

/** Why the body of a 200 is not the challenge: the usual mistakes by name. */
export function describeBody(answer: Answer, expected: Expected): Diagnosis {
  const encoding = encodingOf(answer);
  if (encoding) {
    return mistake('but compressed', msg('challengeCompressed', printable(encoding, 20)));
  }
  const body = trimAscii(bodyText(answer));
  if (body === '') return mistake('with an empty body', msg('challengeBodyEmpty'));
  return body.includes(expected.challenge)
    ? describeWrapped(answer, body, expected)
    : describeOther(answer, body, expected);
}

/**
 * A text without surrounding ASCII whitespace. Other characters that `trim` would remove, such as a byte order mark,
 * are a mistake.
 */
export function trimAscii(text: string): string {
  // No pattern: one that ends in `+$` takes 130 ms for 16 KiB of spaces between two letters.
  let start = 0;
  let end = text.length;
  while (start < end && isAsciiSpace(text.charCodeAt(start))) start++;
  while (end > start && isAsciiSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isAsciiSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

/** The challenge is there, but not alone. */
function describeWrapped(answer: Answer, body: string, { challenge }: Expected): Diagnosis {
  if (answer.isCut && body.startsWith(challenge)) {
    return mistake('without an end', msg('challengeContinued'));
  }
  if (/^["'`]/.test(body) && body.slice(1, -1) === challenge) {
    return mistake('with quotes', msg('challengeInQuotes'));
  }
  if (isWebPage(answer)) {
    return mistake('with a web page', msg('challengeInWebPage'));
  }
  if (/hub(\.|%2e|_)mode/i.test(body)) {
    return mistake('with the whole query', msg('challengeWholeQuery'));
  }
  if (isJson(body)) return mistake('with JSON', msg('challengeInJson'));
  if (body.startsWith('\ufeff')) {
    return mistake('with a byte order mark', msg('challengeByteOrderMark'));
  }
  return mistake('with other text', msg('challengeOtherText'));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The challenge is not there, at least not as it was sent. */
function describeOther(answer: Answer, body: string, { challenge, verifyToken, secrets }: Expected): Diagnosis {
  if (challenge.startsWith(body)) {
    return mistake('with a cut body', msg('challengeCut', body.length, challenge.length));
  }
  if (body.toLowerCase() === challenge.toLowerCase() || body === challenge.replace(/[-_]/g, '')) {
    return mistake('with a changed challenge', msg('challengeChanged'));
  }
  if (body === verifyToken) {
    return mistake('with the verify token', msg('challengeVerifyToken'));
  }
  if (body.length === challenge.length && /^[\w-]+$/.test(body)) {
    return mistake('with an old challenge', msg('challengeOld'));
  }
  const show = (text: string) => printable(hideSecrets(text, secrets), 60);
  if (isWebPage(answer)) {
    const title = show(/<title[^>]*>([^<]*)/i.exec(body.slice(0, 4_096))?.[1] ?? '');
    return mistake('with a web page', title === '' ? msg('challengeWebPage') : msg('challengeWebPageTitled', title));
  }
  // Some receivers answer OK to everything that is not an event, even to an unknown token.
  const answered = msg('challengeOtherAnswer', show(body));
  const hint = msg('challengeCompareToken');
  return mistake('with another body', verifyToken ? joinMessages(answered, hint) : answered);
}

function mistake(what: string, sentence: LocalizedMessage): Diagnosis {
  return { word: `answered 200 ${what}`, sentence };
}
