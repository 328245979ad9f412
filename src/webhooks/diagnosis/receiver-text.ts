import type { Answer, Exchange } from '../http/exchange.ts';
import { base64Of } from '../signing/secret.ts';

/** Anything shorter is not a secret, and hiding it would garble the rest. */
const SHORTEST_SECRET = 4;

/**
 * A receiver's text without our secrets, however it wrote them: unchanged, percent-encoded, in JSON, and without the
 * prefix of Standard Webhooks.
 */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secretForms(secrets).reduce((shown, form) => shown.replaceAll(form, '•••'), text);
}

/** As `hideSecrets`, for an exchange that is shown: in the values of the response headers and the bytes of its body. */
export function hideSecretsInExchange(exchange: Exchange, secrets: readonly string[]): Exchange {
  return exchange.answer ? { ...exchange, answer: hideSecretsInAnswer(exchange.answer, secrets) } : exchange;
}

function hideSecretsInAnswer(answer: Answer, secrets: readonly string[]): Answer {
  // One character for each byte: a body need not be text, and headers come in this form.
  const forms = secretForms(secrets).map((form) => Buffer.from(form).toString('latin1'));
  const hide = (text: string) => forms.reduce((shown, form) => shown.replaceAll(form, '***'), text);
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, hide(value)] as const),
    body: Buffer.from(hide(Buffer.from(answer.body).toString('latin1')), 'latin1'),
  };
}

function secretForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .flatMap((secret) => [secret, base64Of(secret) ?? secret])
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .map((secret) => secret.toWellFormed())
    .flatMap((secret) => {
      const encoded = encodeURIComponent(secret);
      const lowerCase = encoded.replace(/%../g, (octet) => octet.toLowerCase());
      const form = new URLSearchParams({ secret }).toString().slice('secret='.length);
      const json = JSON.stringify(secret).slice(1, -1);
      // PHP escapes slashes in JSON.
      return [secret, encoded, lowerCase, form, json, json.replaceAll('/', '\\/')];
    });
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** The value of a response header, the first if it is repeated; null without one. The name is in lower case. */
export function headerOf(answer: Answer, name: string): string | null {
  return answer.headers.find((header) => header[0] === name)?.[1] ?? null;
}

/** The encoding of a response body that we cannot read, such as gzip; null if it is plain. */
export function encodingOf(answer: Answer): string | null {
  const encoding = headerOf(answer, 'content-encoding')?.trim().toLowerCase() ?? '';
  return encoding === '' || encoding === 'identity' ? null : encoding;
}

/** The start of a response body as text, with bytes that are not UTF-8 replaced. */
export function bodyText(answer: Answer): string {
  return Buffer.from(answer.body).toString('utf8');
}

/** Whether the body of a response is a web page. */
export function isWebPage(answer: Answer): boolean {
  const type = headerOf(answer, 'content-type') ?? '';
  return /^text\/html|^application\/xhtml/i.test(type) || /^\s*<(!doctype html|html)/i.test(bodyText(answer));
}
