import { SECOND_MS } from '../lib/clock.ts';
import {
  CONNECT_LIMIT_MS,
  readSmtpUrl,
  type SmtpTarget,
  STARTTLS_PORTS,
  TLS_PORT,
  USE_SMTP,
  USE_SMTPS,
} from './smtp-url.ts';

/** The parts of an error of nodemailer that are used. */
type SmtpFault = Error & {
  code?: string;
  /** The code of the system or of OpenSSL. */
  originalCode?: string;
  timeoutType?: string;
  responseCode?: number;
};

/** What an operator reads of a failed mail: what is wrong and what to change, then the words of the server or system. */
export function describeSmtpFault(error: SmtpFault, smtpUrl: string): string {
  const words = shortenTls(error.message);
  const explanation = explain(error, words, readSmtpUrl(smtpUrl));
  return explanation ? `${explanation} (${words})` : words;
}

/** OpenSSL reports `40C3…:error:0A00010B:SSL routines:function:reason:file:line:`. */
function shortenTls(message: string): string {
  const reason = /:error:[0-9A-F]+:SSL routines:[^:]*:([^:]+)/.exec(message)?.[1];
  return reason === undefined ? message.trim() : `TLS: ${reason}`;
}

function explain(error: SmtpFault, words: string, target: SmtpTarget): string | null {
  return explainTls(words, error, target) ?? explainConnection(words, error, target) ?? explainLogin(error, target);
}

function explainTls(words: string, error: SmtpFault, { place, port, isSecure }: SmtpTarget): string | null {
  const code = error.originalCode ?? error.code ?? '';
  if (/wrong version number|packet length too long|record layer failure|http request/i.test(words)) {
    const there = STARTTLS_PORTS.includes(port) ? USE_SMTP : 'use smtp://, which turns TLS on by STARTTLS';
    return isSecure
      ? `${place} does not begin with TLS: ${there}`
      : `${place} announced STARTTLS but did not begin with TLS`;
  }
  if (/protocol version|unsupported protocol|version too low/i.test(words)) {
    return `${place} has no version of TLS that is allowed here: update it, or ${OLD_TLS}`;
  }
  if (/key too small|md too weak|no shared cipher|handshake failure|no ciphers/i.test(words)) {
    return `${place} and this server have no secure way to encrypt in common: update it, or ${OLD_TLS}`;
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || /altnames/i.test(words)) {
    return `The certificate of ${place} is for another name: use that name in SMTP_URL, or add ?tls.servername=<that name>`;
  }
  if (/expired/i.test(words)) return `The certificate of ${place} has expired: renew it`;
  if (/self.signed|local issuer|verify the first certificate|unable to get issuer/i.test(words)) {
    return `The certificate of ${place} is not trusted: ${TRUST}`;
  }
  return null;
}

const OLD_TLS = 'allow the old one with ?tls.minVersion=TLSv1&tls.ciphers=DEFAULT@SECLEVEL=0 in SMTP_URL';
const TRUST =
  'name a file with the certificate of its authority in NODE_EXTRA_CA_CERTS, or add ?tls.rejectUnauthorized=false to ' +
  'SMTP_URL to send without checking it';

function explainConnection(words: string, error: SmtpFault, target: SmtpTarget): string | null {
  const { place, port, isSecure } = target;
  const code = error.originalCode ?? error.code ?? '';
  if (
    error.timeoutType === 'GREETING_TIMEOUT' ||
    (error.timeoutType === 'CONNECT_TIMEOUT' && !isSecure && port === TLS_PORT)
  ) {
    return `${place} accepted the connection but did not greet: ${port === TLS_PORT ? USE_SMTPS : IF_TLS}`;
  }
  if (error.timeoutType === 'CONNECT_TIMEOUT') {
    return `${place} did not accept ${isSecure ? 'TLS' : 'a connection'} within ${CONNECT_LIMIT_MS / SECOND_MS} s: check host and port of SMTP_URL, and firewalls (many networks block port 25)`;
  }
  if (/maximum number of retries|before secure TLS connection/.test(words)) {
    const perhaps = isSecure ? 'check that its port speaks TLS from the start' : port === TLS_PORT ? USE_SMTPS : IF_TLS;
    return `${place} closes connections before it greets: ${perhaps}, and that it allows this machine`;
  }
  if (code === 'ECONNREFUSED') return `Nothing listens at ${place}: check host and port of SMTP_URL`;
  if (code === 'ENOTFOUND' || code === 'EDNS') return `The host of ${place} was not found: check SMTP_URL`;
  if (code === 'EAI_AGAIN') return `The name servers do not answer, so the host of ${place} was not found`;
  return null;
}

const IF_TLS = 'if it expects TLS from the start, use smtps://';

function explainLogin({ message, code, responseCode }: SmtpFault, { place, hasUser }: SmtpTarget): string | null {
  if (/^Missing credentials/.test(message)) return 'SMTP_URL has a user without a password, or the other way round';
  if (responseCode === 530 && !hasUser) return `${place} wants a user and a password: smtp://user:password@host`;
  if (code !== 'EAUTH') return null;
  if (responseCode === 504) return `${place} offers no PLAIN, LOGIN or CRAM-MD5, with which passwords are sent`;
  return `${place} does not accept user and password of SMTP_URL; special characters must be percent-encoded, and some providers want a password for apps`;
}
