import type { SignatureCheck } from '#src/webhooks/managing/signature-check.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';

/** The findings about a signature, with remedies. */
export function SignatureFindings({ check }: { check: SignatureCheck }) {
  const l = useLocale();
  const { result, header, body, secret, expected } = check;
  const headerWords = {
    empty: m.headerEmpty(l),
    withName: m.headerWithName(l),
    noPrefix: m.headerNoPrefix(l),
    upperCase: m.headerUpperCase(l),
    base64: m.headerBase64(l),
    sha1: m.headerSha1(l),
    standard: m.headerStandard(l),
    unreadable: m.headerUnreadable(l),
  };
  const bodyWords = {
    newlineAdded: m.bodyNewlineAdded(l),
    newlineMissing: m.bodyNewlineMissing(l),
    crlf: m.bodyCrlf(l),
    byteOrderMark: m.bodyByteOrderMark(l),
    spacesAround: m.bodySpacesAround(l),
    reencoded: m.bodyReencoded(l),
    pretty: m.bodyPretty(l),
    unescaped: m.bodyUnescaped(l),
    slashesEscaped: m.bodySlashes(l),
    empty: m.bodyEmpty(l),
  };
  const secretWords = {
    spacesAround: m.secretSpacesAround(l),
    newlineAdded: m.secretNewline(l),
    hexDecoded: m.secretHex(l),
    base64Decoded: m.secretBase64(l),
    prefixed: m.secretPrefixed(l),
    saved: m.secretSaved(l),
  };
  const titles = {
    match: m.checkMatch(l),
    fits: m.checkFits(l),
    nothing: m.checkNothing(l),
    header: m.checkNoDigest(l),
  };
  const findings = [
    ...header.map((finding) => headerWords[finding]),
    ...(body ? [bodyWords[body]] : []),
    ...(secret ? [secretWords[secret]] : []),
  ];
  const kind = result === 'match' ? 'success' : result === 'fits' ? 'warning' : 'error';
  return (
    <div className="note stack tight" data-kind={kind} role="status">
      <p>
        <strong>{titles[result]}</strong>
      </p>
      {findings.length > 0 && (
        <ul>
          {findings.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {result !== 'match' && expected && (
        <p className="small">
          {m.checkExpected(l)} <code className="break">{expected}</code>
        </p>
      )}
    </div>
  );
}
