import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { useLocale } from '../requests/locale.ts';
import type { HeldForm } from '../requests/member.ts';
import { PlainPage } from './plain-page.tsx';

/** A form was sent after its session had ended: it is kept here until its user has signed in elsewhere. */
export function SessionEnded({ form: { path, fields } }: { form: HeldForm }) {
  const prefix = usePrefix();
  const l = useLocale();
  const written = fields.filter(([name, value]) => value !== '' && !/^(intent|id|nonce)$/.test(name));
  return (
    <PlainPage title={m.signedOut(l)}>
      <p>{m.signedOutHelp(l)}</p>
      <p>
        <a className="button" href={`${prefix}/sign-in`} target="_blank" rel="noreferrer">
          {m.signIn(l)}
        </a>
      </p>
      <form method="post" action={prefix + path} className="stack">
        {fields.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <dl className="stack">
          {written.map(([name, value]) => (
            <div key={name}>
              <dt className="muted small">{name}</dt>
              <dd className="secret">{value}</dd>
            </div>
          ))}
        </dl>
        <button type="submit" className="button" data-kind="primary">
          {m.sendAgain(l)}
        </button>
      </form>
    </PlainPage>
  );
}
