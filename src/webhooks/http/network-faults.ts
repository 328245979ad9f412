import type { PeerCertificate } from 'node:tls';
import type { Endpoint } from './endpoint.ts';
import type { Fault } from './exchange.ts';

/** What an exchange is waiting for. */
export type Phase = 'dns' | 'connect' | 'tls' | 'answer';

/** The parts of an error of node:http, node:tls or node:net that are used. */
type NetworkError = Error & { code?: string; reason?: string; cert?: PeerCertificate; errors?: NetworkError[] };

const certificateReasons: Record<string, string> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it has been revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not trusted, or an intermediate certificate is missing',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not trusted, or an intermediate certificate is missing',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not trusted, or an intermediate certificate is missing',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  CERT_CHAIN_TOO_LONG: 'its chain is too long',
  INVALID_CA: 'its authority may not issue certificates',
  INVALID_PURPOSE: 'it is not meant for servers',
  CERT_UNTRUSTED: 'its authority is not trusted',
  CERT_REJECTED: 'its authority rejects it',
};

const tooOld = 'it offers only versions of TLS older than 1.2';
const tlsReasons: Record<string, string> = {
  ERR_SSL_UNSUPPORTED_PROTOCOL: tooOld,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: tooOld,
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port',
  ERR_SSL_HTTP_REQUEST: 'it does not speak TLS on this port',
  ERR_SSL_TLSV1_UNRECOGNIZED_NAME: 'it does not know this host name',
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': 'it supports none of our cipher suites',
};

const connectReasons: Record<string, string> = {
  EHOSTUNREACH: 'the host cannot be reached',
  EHOSTDOWN: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  EADDRNOTAVAIL: 'the network cannot be reached',
  EMFILE: 'this server has too many files open',
  ENFILE: 'this server has too many files open',
};

/** The names of a certificate that a reason repeats; it may have a hundred. */
const MAX_NAMES = 3;

/** Explains as a `Fault` why there was no response. Error messages name addresses, so they are not repeated. */
export function faultOf(error: NetworkError, phase: Phase, endpoint: Endpoint): Fault {
  const { code = '', cert } = error.errors?.at(-1) ?? error;
  if (code.startsWith('HPE_')) return { kind: 'answer not understood', reason: answerReason(code) };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return { kind: 'certificate not valid', reason: `it is for ${namesOf(cert)}, not for ${endpoint.host}` };
  }
  const certificateReason = certificateReasons[code];
  if (certificateReason) return { kind: 'certificate not valid', reason: certificateReason };
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') {
    return { kind: 'tls failed', reason: tlsReasons[code] ?? error.reason ?? 'it aborted the handshake' };
  }
  if (code === 'ECONNREFUSED') return { kind: 'connection refused' };
  if (code === 'ETIMEDOUT') return { kind: 'timed out', phase };
  if (code !== 'ECONNRESET' && code !== 'EPIPE') {
    return { kind: 'connection failed', reason: connectReasons[code] ?? (code || 'unknown') };
  }
  return phase === 'tls' ? { kind: 'tls failed', reason: 'it aborted the handshake' } : { kind: 'connection closed' };
}

function answerReason(code: string): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'its headers are longer than 16 KiB';
  if (code === 'HPE_INVALID_CONSTANT' || code === 'HPE_INVALID_VERSION') return 'it is not HTTP/1.1';
  if (code === 'HPE_INVALID_STATUS') return 'its status is not a number';
  return 'its headers are not valid HTTP';
}

function namesOf(certificate: PeerCertificate | undefined): string {
  const entries = certificate?.subjectaltname?.split(', ') ?? [];
  const names = entries.map((entry) => entry.replace(/^(DNS|IP Address):/, ''));
  if (names.length === 0) return 'no host at all';
  const shown = names.slice(0, MAX_NAMES).join(', ').slice(0, 300);
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown;
}
