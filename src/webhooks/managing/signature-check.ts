import { createHmac } from 'node:crypto';
import { escapeJson } from '../../events/events.ts';

/** Findings about the value of the header. */
type HeaderFinding = 'empty' | 'withName' | 'noPrefix' | 'upperCase' | 'base64' | 'sha1' | 'standard' | 'unreadable';

/** How the pasted body differs from the bytes that were signed. */
type BodyFinding =
  | 'newlineAdded'
  | 'newlineMissing'
  | 'crlf'
  | 'byteOrderMark'
  | 'spacesAround'
  | 'reencoded'
  | 'pretty'
  | 'unescaped'
  | 'slashesEscaped'
  | 'empty';

/** How the pasted secret differs from the one that made the signature. */
type SecretFinding = 'spacesAround' | 'newlineAdded' | 'hexDecoded' | 'base64Decoded' | 'prefixed' | 'saved';

/** Whether a signature matches, and every difference that was found. */
export type SignatureCheck = {
  result: 'match' | 'fits' | 'nothing' | 'header';
  header: HeaderFinding[];
  body: BodyFinding | null;
  secret: SecretFinding | null;
  /** The header that would be right for the body and the secret as they were pasted. */
  expected: string | null;
};

/** A body, a header and a secret as they were pasted; without a secret, the saved ones are tried. */
type Pasted = { body: string; header: string; secret: string; saved: readonly string[] };

/**
 * Finds out why a signature does not match: tries every common mistake with the body and the secret until one produces
 * the digest in the header. `match`: all is right; `fits`: with the differences found; `nothing`: none matches.
 */
export function checkSignature({ body, header, secret, saved }: Pasted): SignatureCheck {
  // A form converts every line feed to two characters.
  const text = body.replaceAll('\r\n', '\n');
  const { findings, digest } = readHeader(header);
  const key = secret === '' ? saved[0] : secret;
  const expected = key === undefined ? null : `sha256=${sign(text, key)}`;
  const found = { header: findings, body: null, secret: null, expected };
  if (digest === null) return { ...found, result: 'header' };
  for (const [secretFinding, ownSecret] of secretsLike(secret, saved)) {
    for (const [bodyFinding, ownBody] of bodiesLike(text)) {
      if (sign(ownBody, ownSecret) !== digest) continue;
      const isExact = bodyFinding === null && secretFinding === null && findings.length === 0;
      return { ...found, result: isExact ? 'match' : 'fits', body: bodyFinding, secret: secretFinding };
    }
  }
  return { ...found, result: 'nothing' };
}

function sign(body: string, secret: string | Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** The digest in a header as lower-case hexadecimal digits, in whichever form it was written. */
function readHeader(header: string): { findings: HeaderFinding[]; digest: string | null } {
  const findings: HeaderFinding[] = [];
  const unnamed = header.trim().replace(/^["']?(x-hub-signature(-256)?|webhook-signature)["']?\s*[:=]\s*/i, '');
  if (unnamed !== header.trim()) findings.push('withName');
  const value = unnamed.replace(/^["']|(?<!["',;])["',;]+$/g, '');
  const wrong = (finding: HeaderFinding) => ({ findings: [...findings, finding], digest: null });
  if (value === '') return wrong('empty');
  if (/^v1,/.test(value)) return wrong('standard');
  if (/^sha1=|^[0-9a-f]{40}$/i.test(value)) return wrong('sha1');
  const digest = value.replace(/^sha256=/i, '');
  if (digest === value) findings.push('noPrefix');
  if (/^[0-9a-f]{64}$/i.test(digest)) {
    if (digest !== digest.toLowerCase()) findings.push('upperCase');
    return { findings, digest: digest.toLowerCase() };
  }
  if (!/^[\w+/-]{43}=?$/.test(digest)) return wrong('unreadable');
  return { findings: [...findings, 'base64'], digest: Buffer.from(digest, 'base64').toString('hex') };
}

function bodiesLike(body: string): [BodyFinding | null, string][] {
  const value = parseJson(body);
  const asJson: [BodyFinding, string][] =
    value === undefined
      ? []
      : [
          ['unescaped', JSON.stringify(value)],
          ['reencoded', escapeJson(value)],
          ['reencoded', spaced(escapeJson(value))],
          ['reencoded', spaced(JSON.stringify(value))],
          ['slashesEscaped', escapeJson(value).replaceAll('/', '\\/')],
          ['pretty', JSON.stringify(value, null, 2)],
          ['pretty', JSON.stringify(value, null, 4)],
        ];
  return [
    [null, body],
    // Signed bodies have no trailing line ending: one in the pasted text was added on the way.
    ['newlineAdded', body.replace(/(?<!\n)\n+$/, '')],
    ['newlineMissing', `${body}\n`],
    ['crlf', body.replaceAll('\n', '\r\n')],
    ['byteOrderMark', body.replace(/^\ufeff/, '')],
    ['spacesAround', body.trim()],
    ...asJson,
    ['empty', ''],
  ];
}

/** As Python writes JSON: a space after each colon and comma that is not within a text. */
function spaced(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*")|([:,])/g, (_, text, mark) => text ?? `${mark} `);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function secretsLike(secret: string, saved: readonly string[]): [SecretFinding | null, string | Buffer][] {
  if (secret === '') return saved.map((own) => [null, own]);
  return [
    [null, secret],
    ['spacesAround', secret.trim()],
    ['newlineAdded', `${secret}\n`],
    ['prefixed', secret.replace(/^whsec_/, '')],
    ['hexDecoded', Buffer.from(secret, 'hex')],
    ['base64Decoded', Buffer.from(secret.replace(/^whsec_/, ''), 'base64')],
    ...saved.map((own): [SecretFinding, string] => ['saved', own]),
  ];
}
