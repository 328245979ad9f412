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
  return ms < SECOND_MS ? msg`${Math.round(ms)} ms` : msg`${Number((ms / SECOND_MS).toPrecision(3))} s`;
}

/** The time limit, as text. */
export const LIMIT = sayDuration(TIME_LIMIT_MS);

/** Why nothing can be sent to a webhook whose secrets were encrypted with another key. */
export const OTHER_KEY = msg`The secrets of this webhook cannot be decrypted: ask the operator to restore the SECRET_KEY that encrypted them, or enter them again.`;

/** Why a request to `url` got no response. */
export function describeFault(fault: Fault, timings: Timings, url: string): Diagnosis {
  const host = printable(URL.parse(url)?.hostname ?? 'the host', 260);
  switch (fault.kind) {
    case 'address not allowed':
      return {
        word: 'address not allowed',
        sentence: msg`${host} leads to a destination that webhooks may not reach: enter an address on the public internet, or ask the operator to allow its range.`,
      };
    case 'could not resolve host':
      return {
        word: 'could not resolve host',
        sentence: msg`The host name ${printable(fault.host, 260)} was not found: check its spelling, and that it is published in the public DNS.`,
      };
    case 'connection refused':
      return {
        word: 'connection refused',
        sentence: msg`Nothing is listening at ${host} on the port of the URL: check that the receiver is running and that the port is right.`,
      };
    case 'connection failed':
      return {
        word: 'connection failed',
        sentence: msg`The connection to ${host} failed: ${phrase(printable(fault.reason))}. Check that the receiver can be reached from the public internet.`,
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
        sentence: msg`Its response is not valid HTTP: ${phrase(printable(fault.reason))}. Check that the port belongs to a web server and that its response headers are short and well formed.`,
      };
    case 'connection closed':
      return {
        word: 'connection closed',
        sentence: msg`It closed the connection before it responded: check its log for a crash, or for a firewall or proxy that drops the request.`,
      };
    case 'secrets cannot be decrypted':
      return { word: 'secrets cannot be decrypted', sentence: OTHER_KEY };
    case 'stopped':
      return {
        word: 'released',
        sentence: msg`The server was stopped before there was a response: the attempt does not count and is repeated.`,
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
      return msg`The name servers of ${host} did not answer within ${LIMIT}: check the domain's DNS.`;
    case 'connect':
      return msg`${host} did not accept a connection within ${LIMIT}: a firewall may be dropping it silently, or the server is down.`;
    case 'tls':
      return msg`${host} accepted the connection but did not finish the TLS handshake within ${LIMIT}: check that the port speaks TLS.`;
    case 'answer':
      return timings.firstByte === null
        ? msg`It did not answer within ${LIMIT}: answer first and do the work afterwards.`
        : msg`Its response began after ${sayDuration(timings.firstByte)} but its headers were incomplete after ${LIMIT}: send all headers of the response at once.`;
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
        names.length > 0
          ? msg`The certificate is for ${shown}, not for ${host}: install one for ${host}, or enter the host that the certificate names.`
          : msg`The certificate is not for ${host}: install one for ${host}, or enter the host that the certificate names.`,
    };
  }
  if (/not yet valid|NOT_YET_VALID/i.test(reason)) {
    return {
      word: 'TLS certificate not valid yet',
      sentence: msg`The certificate of ${host} is not valid yet: check its start date and the clocks of both servers.`,
    };
  }
  if (/expired/i.test(reason)) {
    return { word: 'TLS certificate expired', sentence: msg`The certificate of ${host} has expired: renew it.` };
  }
  if (/self.signed/i.test(reason)) {
    return {
      word: 'TLS certificate not trusted',
      sentence: msg`The certificate of ${host} is self-signed: install one from a public certificate authority, such as Let's Encrypt.`,
    };
  }
  if (/unable to (verify|get)|UNABLE_TO_/i.test(reason)) {
    return {
      word: 'TLS certificate not trusted',
      sentence: msg`The issuer of the certificate of ${host} is unknown: have the server send the whole chain (a "fullchain" file), or install a certificate from a public certificate authority.`,
    };
  }
  return {
    word: 'TLS certificate not valid',
    sentence: msg`The certificate of ${host} is not valid: ${phrase(reason)}.`,
  };
}

function describeTls(reason: string, host: string): LocalizedMessage {
  if (/wrong.version.number|packet.length|http.request|WRONG_VERSION/i.test(reason)) {
    return msg`The port does not speak TLS: enter the address with http:// or the port on which ${host} serves https.`;
  }
  if (/protocol.version|unsupported.protocol|no.protocols|handshake.failure|UNSUPPORTED/i.test(reason)) {
    return msg`${host} offers only TLS versions or ciphers that are no longer secure: enable TLS 1.2 or 1.3.`;
  }
  return msg`The TLS handshake with ${host} failed: ${phrase(reason)}.`;
}
