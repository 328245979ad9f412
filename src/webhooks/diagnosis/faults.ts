import { SECOND_MS } from '../../platform/lib/clock.ts';
import { type LocalizedMessage, msg, phrase } from '../../platform/messages.ts';
import { printable } from '../../platform/texts/text.ts';
import type { Fault, Timings } from '../http/exchange.ts';

/** From before the DNS lookup to the end of the response headers. */
export const TIME_LIMIT_MS = 5 * SECOND_MS;

/** What happened in a few words, for lists, and in a sentence that names the mistake and the remedy. */
export type Diagnosis = { word: string; sentence: LocalizedMessage };

/** A duration as text: `120 ms`, `6.2 s`. */
export function sayDuration(ms: number): LocalizedMessage {
  return ms < SECOND_MS
    ? msg('durationMilliseconds', Math.round(ms))
    : msg('durationSeconds', Number((ms / SECOND_MS).toPrecision(3)));
}

/** The time limit, as text. */
export const LIMIT = sayDuration(TIME_LIMIT_MS);

/** Why nothing can be sent to a webhook whose secrets were encrypted with another key. */
export const OTHER_KEY = msg('receiverSecretsUnreadable');

/** Why a request to `url` got no response. */
export function describeFault(fault: Fault, timings: Timings, url: string): Diagnosis {
  const host = printable(URL.parse(url)?.hostname ?? 'the host', 260);
  switch (fault.kind) {
    case 'address not allowed':
      return {
        word: 'address not allowed',
        sentence: msg('receiverNotAllowed', host),
      };
    case 'could not resolve host':
      return {
        word: 'could not resolve host',
        sentence: msg('receiverHostNotFound', printable(fault.host, 260)),
      };
    case 'connection refused':
      return {
        word: 'connection refused',
        sentence: msg('receiverNothingListening', host),
      };
    case 'connection failed':
      return {
        word: 'connection failed',
        sentence: msg('receiverConnectionFailed', host, phrase(printable(fault.reason))),
      };
    case 'timed out':
      return { word: `timed out after ${LIMIT.text}`, sentence: describeTimeout(fault.phase, timings, host) };
    case 'certificate not valid':
      return describeCertificate(printable(fault.reason, 300), host);
    case 'tls failed':
      return { word: 'TLS failed', sentence: describeTls(printable(fault.reason, 300), host) };
    case 'answer not understood':
      return {
        word: 'answer not understood',
        sentence: msg('receiverNotHttp', phrase(printable(fault.reason))),
      };
    case 'connection closed':
      return {
        word: 'connection closed',
        sentence: msg('receiverClosed'),
      };
    case 'secrets cannot be decrypted':
      return { word: 'secrets cannot be decrypted', sentence: OTHER_KEY };
    case 'stopped':
      return {
        word: 'released',
        sentence: msg('receiverServerStopped'),
      };
    default:
      return fault satisfies never;
  }
}

function describeTimeout(
  phase: Extract<Fault, { kind: 'timed out' }>['phase'],
  timings: Timings,
  host: string,
): LocalizedMessage {
  switch (phase) {
    case 'dns':
      return msg('receiverDnsSlow', host, LIMIT);
    case 'connect':
      return msg('receiverConnectSlow', host, LIMIT);
    case 'tls':
      return msg('receiverTlsSlow', host, LIMIT);
    case 'answer':
      return timings.firstByte === null
        ? msg('receiverSlow', LIMIT)
        : msg('receiverHeadersSlow', sayDuration(timings.firstByte), LIMIT);
    default:
      return phase satisfies never;
  }
}

/** Reasons are messages of the TLS library or its codes; both are checked. */
function describeCertificate(reason: string, host: string): Diagnosis {
  if (/altname|not match|cert's CN/i.test(reason)) {
    const names = [...reason.matchAll(/(?:DNS|IP Address):([^\s,]+)|CN: (\S+)/g)].map(([, name, cn]) => name ?? cn);
    const shown = names.slice(0, 3).join(', ');
    return {
      word: 'TLS certificate not valid for host',
      sentence:
        names.length > 0 ? msg('certificateForOther', shown, host, host) : msg('certificateNotForHost', host, host),
    };
  }
  if (/not yet valid|NOT_YET_VALID/i.test(reason)) {
    return {
      word: 'TLS certificate not valid yet',
      sentence: msg('certificateNotYetValid', host),
    };
  }
  if (/expired/i.test(reason)) {
    return { word: 'TLS certificate expired', sentence: msg('certificateExpired', host) };
  }
  if (/self.signed/i.test(reason)) {
    return {
      word: 'TLS certificate not trusted',
      sentence: msg('certificateSelfSigned', host),
    };
  }
  if (/unable to (verify|get)|UNABLE_TO_/i.test(reason)) {
    return {
      word: 'TLS certificate not trusted',
      sentence: msg('certificateIssuerUnknown', host),
    };
  }
  return {
    word: 'TLS certificate not valid',
    sentence: msg('certificateInvalid', host, phrase(reason)),
  };
}

function describeTls(reason: string, host: string): LocalizedMessage {
  if (/wrong.version.number|packet.length|http.request|WRONG_VERSION/i.test(reason)) {
    return msg('receiverPortWithoutTls', host);
  }
  if (/protocol.version|unsupported.protocol|no.protocols|handshake.failure|UNSUPPORTED/i.test(reason)) {
    return msg('receiverTlsTooOld', host);
  }
  return msg('receiverTlsFailed', host, phrase(reason));
}
