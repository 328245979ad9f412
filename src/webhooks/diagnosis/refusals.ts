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
    if (login)
      return msg`It answered ${status} and asks for a login (${login}): let requests to this path through without one.`;
    if (status === 404)
      return msg`It answered ${status}: there is nothing at this path; compare it with the path that the receiver serves.`;
    if (status === 405 || status === 501) {
      return msg`It answered ${status}: it does not accept ${method} at this path; it must accept GET for the verification and POST for events.`;
    }
    if (status === 410) return msg`It answered ${status} (Gone): it does not want any more events.`;
    if (status === 413)
      return msg`It answered ${status}: the event is too large for it; raise its limit for request bodies.`;
    if (status === 415)
      return msg`It answered ${status}: it does not accept JSON; it must accept Content-Type: application/json.`;
    if (status === 429)
      return msg`It answered ${status}: it gets too many requests, or a rate limit in front of it is too strict.`;
    if (status === 502 || status === 503 || status === 504 || (status >= 520 && status <= 527)) {
      return msg`It answered ${status}: a proxy in front of it got no response from the program behind it; check that it is running and responds quickly.`;
    }
    if (status >= 500) return msg`It answered ${status}: its program failed; check its log at this time.`;
    if (status >= 400) return msg`It answered ${status}: it did not accept the request; check its log at this time.`;
    return msg`It answered ${status}: it must answer 200.`;
  }
}

/** Says what a refusal of a chat means, whose owner can change only the URL. */
export function describeChatRefusal(answer: Answer, secrets: readonly string[]): Diagnosis {
  const { status } = answer;
  return { word: `answered ${status}`, sentence: joinMessages(explain(), ...quoteBody(answer, secrets)) };

  function explain(): LocalizedMessage {
    if (status === 429) return msg`The chat answered ${status}: it is sent too many messages, and gets this one later.`;
    if (status >= 500) return msg`The chat answered ${status}: it has a problem of its own.`;
    if (status === 400)
      return msg`The chat answered ${status}: it does not take a message of this form; check the kind.`;
    return msg`The chat answered ${status}: the URL is not valid, or no longer; create a new one there.`;
  }
}

/** What the receiver wrote, if it is likely meant for people. */
function quoteBody(answer: Answer, secrets: readonly string[]): LocalizedMessage[] {
  if (encodingOf(answer) || isWebPage(answer)) return [];
  const text = printable(hideSecrets(bodyText(answer), secrets));
  return text === '' ? [] : [msg`It wrote: “${text}”.`];
}
