import { msg } from '../../platform/messages.ts';
import { describeAttempt } from '../diagnosis/outcome.ts';
import { hideSecretsInExchange } from '../diagnosis/receiver-text.ts';
import type { Dial } from '../http/exchange.ts';
import { senderHeaders } from '../http/sender.ts';
import type { Verification } from './verify.ts';

/** A first message to a chat. `secrets` and its URL are not shown. */
type Greeting = { url: string; shownUrl: string; body: string; secrets: readonly string[]; version: string };

/** Sends a first message to a chat: it is verified when it accepts the message. */
export async function greet(dial: Dial, { url, shownUrl, body, secrets, version }: Greeting): Promise<Verification> {
  const headers = { 'Content-Type': 'application/json', ...senderHeaders(version) };
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
