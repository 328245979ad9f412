import { joinMessages, type LocalizedMessage, msg } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import type { Answer } from '../http/exchange.ts';
import type { Diagnosis } from './faults.ts';
import { bodyText, encodingOf, headerOf, hideSecrets, isWebPage } from './receiver-text.ts';
import { describeRedirect, isRedirect } from './redirects.ts';

/** The request: where, how, and which of our secrets the receiver might repeat. */
type Asked = { url: string; method: 'GET' | 'POST'; secrets: readonly string[] };

/** What a 401 or 403 means here, if the receiver did not request a login. */
type Denial = (status: number) => Diagnosis;

/** What is wrong with a response that is not 2xx. */
export function describeRefusal(answer: Answer, asked: Asked, denied: Denial): Diagnosis {
  const { status } = answer;
  if (isRedirect(status)) {
    return { word: 'redirected', sentence: describeRedirect(status, headerOf(answer, 'location'), asked) };
  }
  const { word, sentence } = describeStatus(answer, asked, denied);
  return { word, sentence: joinMessages(sentence, ...quoteBody(answer, asked.secrets)) };
}

function describeStatus(answer: Answer, { method }: Asked, denied: Denial): Diagnosis {
  const { status } = answer;
  const login = /^\s*(basic|digest|negotiate|ntlm)\b/i.exec(headerOf(answer, 'www-authenticate') ?? '')?.[1];
  if ((status === 401 || status === 403) && !login) return denied(status);
  return { word: `answered ${status}`, sentence: explain() };

  function explain(): LocalizedMessage {
    if (login) return msg('receiverAsksLogin', status, login);
    if (status === 404) return msg('receiverNothingThere', status);
    if (status === 405 || status === 501) {
      return msg('receiverMethodRefused', status, method);
    }
    if (status === 410) return msg('receiverGone', status);
    if (status === 413) return msg('receiverEventTooLarge', status);
    if (status === 415) return msg('receiverJsonRefused', status);
    if (status === 429) return msg('receiverTooManyRequests', status);
    if (status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 527)) {
      return msg('receiverBehindProxySilent', status);
    }
    if (status >= 500) return msg('receiverProgramFailed', status);
    if (status >= 400) return msg('receiverRequestRefused', status);
    return msg('receiverMustAnswer200', status);
  }
}

/** Says what a refusal of a chat means, whose owner can change only the URL. */
export function describeChatRefusal(answer: Answer, secrets: readonly string[]): Diagnosis {
  const { status } = answer;
  return { word: `answered ${status}`, sentence: joinMessages(explain(), ...quoteBody(answer, secrets)) };

  function explain(): LocalizedMessage {
    if (status === 429) return msg('receiverChatTooMany', status);
    if (status >= 500) return msg('receiverChatFailed', status);
    if (status === 400) return msg('receiverChatRefuses', status);
    return msg('receiverChatUrlInvalid', status);
  }
}

/** What the receiver wrote, if it is likely meant for people. */
function quoteBody(answer: Answer, secrets: readonly string[]): LocalizedMessage[] {
  if (encodingOf(answer) || isWebPage(answer)) return [];
  const text = printable(hideSecrets(bodyText(answer), secrets));
  return text === '' ? [] : [msg('receiverWrote', text)];
}
