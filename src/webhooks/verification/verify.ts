import { joinMessages, type LocalizedMessage, msg } from '../../platform/messages.ts';
import { describeBody, trimAscii } from '../diagnosis/challenge-answer.ts';
import { type Diagnosis, describeFault, TIME_LIMIT_MS } from '../diagnosis/faults.ts';
import { describeLate, isSuccess } from '../diagnosis/outcome.ts';
import { bodyText, encodingOf, hideSecrets, hideSecretsInExchange } from '../diagnosis/receiver-text.ts';
import { describeRefusal } from '../diagnosis/refusals.ts';
import type { Answer, Dial, Exchange } from '../http/exchange.ts';
import { senderHeaders } from '../http/sender.ts';

/** The receiver to verify. `version` is that of Earshot. */
type Question = {
  url: string;
  verifyToken: string | null;
  /** Other secrets that the receiver may know and that must not be shown. */
  otherSecrets?: readonly string[];
  version: string;
  randomBytes: (size: number) => Uint8Array;
};

/**
 * The result of a verification, with the request and the response to show side by side: the verify token and anything
 * that repeats it is redacted. `stopped` says nothing about the receiver: we ended it ourselves.
 */
export type Verification = {
  kind: 'verified' | 'failed' | 'stopped';
  word: string;
  reason: LocalizedMessage;
  request: { method: 'GET' | 'POST'; url: string; headers: Readonly<Record<string, string>> };
  exchange: Exchange;
};

const CHALLENGE_BYTES = 32;
const HIDDEN = '•••';

/** Asks a receiver whether it wants the events: it does when it answers 200 with exactly the challenge, within 5 s. */
export async function verify(dial: Dial, question: Question, signal?: AbortSignal): Promise<Verification> {
  const { url, verifyToken, version } = question;
  const secrets = secretsOf(question);
  const challenge = Buffer.from(question.randomBytes(CHALLENGE_BYTES)).toString('base64url');
  const headers = senderHeaders(version);
  const asked = makeVerificationUrl(
    url,
    challenge,
    verifyToken ? encodeURIComponent(verifyToken.toWellFormed()) : null,
  );
  const exchange = await dial({ method: 'GET', url: asked, headers }, signal);
  const shownUrl = makeVerificationUrl(hideSecrets(url, secrets), challenge, verifyToken ? HIDDEN : null);
  const { kind, word, sentence } = diagnose(exchange, { ...question, challenge });
  return {
    kind,
    word,
    reason: kind === 'failed' ? joinMessages(sentence, ...describeOwnParameters(url)) : sentence,
    request: { method: 'GET', url: shownUrl, headers },
    exchange: hideSecretsInExchange(exchange, secrets),
  };
}

function secretsOf({ verifyToken, otherSecrets = [] }: Question): string[] {
  return verifyToken ? [verifyToken, ...otherSecrets] : [...otherSecrets];
}

/**
 * The URL of a verification: the endpoint's own query is preserved, byte for byte, and ours follows; a fragment is not
 * sent. The endpoint's own `hub.*` parameters stay too, since some receivers expect a `hub.topic`; if they have the
 * same names as ours and the verification fails, the reason mentions it.
 */
export function makeVerificationUrl(url: string, challenge: string, encodedToken: string | null): string {
  const [address = ''] = url.split('#', 1);
  const separator = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  const token = encodedToken === null ? '' : `&hub.verify_token=${encodedToken}`;
  return `${address}${separator}hub.mode=subscribe&hub.challenge=${challenge}${token}`;
}

function describeOwnParameters(url: string): LocalizedMessage[] {
  const own = /^[^#]*[?&](hub\.(?:mode|challenge|verify_token))(?=[=&#]|$)/.exec(url)?.[1];
  return own ? [msg('verificationOwnParameter', own)] : [];
}

type Diagnosed = { kind: Verification['kind'] } & Diagnosis;

function diagnose({ answer, fault, timings }: Exchange, question: Question & { challenge: string }): Diagnosed {
  const { url, challenge, verifyToken } = question;
  const secrets = secretsOf(question);
  if (fault?.kind === 'stopped') {
    return {
      kind: 'stopped',
      word: 'stopped',
      sentence: msg('verificationStopped'),
    };
  }
  if (fault) return { kind: 'failed', ...describeFault(fault, timings, url) };
  if (!isSuccess(answer)) {
    const denied = verifyToken ? describeRefusedToken : describeMissingToken;
    return { kind: 'failed', ...describeRefusal(answer, { url, method: 'GET', secrets }, denied) };
  }
  const isExact = isChallenge(answer, challenge);
  if (answer.status !== 200) return { kind: 'failed', ...describeOther2xx(answer.status, isExact) };
  if (!isExact) return { kind: 'failed', ...describeBody(answer, { challenge, verifyToken, secrets }) };
  if (timings.total > TIME_LIMIT_MS) return { kind: 'failed', ...describeLate(200, timings.total) };
  return { kind: 'verified', word: 'verified', sentence: msg('verificationDone') };
}

function isChallenge(answer: Answer, challenge: string): boolean {
  return !answer.isCut && !encodingOf(answer) && trimAscii(bodyText(answer)) === challenge;
}

function describeRefusedToken(status: number): Diagnosis {
  return {
    word: 'verify token refused',
    sentence: msg('verificationTokenWrong', status),
  };
}

function describeMissingToken(status: number): Diagnosis {
  return {
    word: `answered ${status}`,
    sentence: msg('verificationRefused', status),
  };
}

function describeOther2xx(status: number, isExact: boolean): Diagnosis {
  const sentence = isExact ? msg('verificationStatusWrong', status) : msg('verificationProvesNothing', status);
  return { word: `answered ${status}`, sentence };
}
