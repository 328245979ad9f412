import { msg } from '../../platform/messages.ts';
import { describeAttempt } from '../diagnosis/outcome.ts';
import { hideSecretsInExchange } from '../diagnosis/receiver-text.ts';
import type { Dial } from '../http/exchange.ts';
import { senderHeaders } from '../http/sender.ts';
import type { Verification } from './verify.ts';

/** A first message to a chat, or a first event to a REST hook. `secrets` and its URL are not shown. */
type Greeting = {
  url: string;
  shownUrl: string;
  body: string;
  /** Headers that the event has besides. */
  headers?: Readonly<Record<string, string>>;
  secrets: readonly string[];
  version: string;
};

/** Sends a first message to a receiver that can answer no challenge: it is verified when it accepts the message. */
export async function greet(dial: Dial, greeting: Greeting): Promise<Verification> {
  const { url, shownUrl, body, secrets, version } = greeting;
  const headers = { 'Content-Type': 'application/json', ...senderHeaders(version), ...greeting.headers };
  const exchange = await dial({ method: 'POST', url, headers, body: Buffer.from(body) });
  const { kind, word, sentence } = describeAttempt(exchange, { url, isSigned: false, isChat: true, secrets });
  const shown = {
    request: { method: 'POST', url: shownUrl, headers },
    exchange: hideSecretsInExchange(exchange, secrets),
  } as const;
  if (kind === 'delivered')
    return { kind: 'verified', word: 'verified', reason: msg('verificationFirstMessage'), ...shown };
  return { kind: kind === 'released' ? 'stopped' : 'failed', word, reason: sentence, ...shown };
}
