import { useState } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { useAnswer } from './form.tsx';

/**
 * The versions of what a form began with, which the server compares (`requests/versions.ts`), however old the page becomes;
 * and what others have saved since in fields that the user has changed, too.
 * @param labels the names of the fields that have versions, as the form shows them
 */
export function Versions({ of: given, labels }: { of: Record<string, string>; labels: Record<string, string> }) {
  const l = useLocale();
  const [versions] = useState(given);
  const answer = useAnswer();
  const { theirs } = answer ?? {};
  const values = Object.entries(theirs?.values ?? {});
  return (
    <>
      {Object.entries(versions).map(([name, version]) => (
        <input
          key={name}
          type="hidden"
          name={`was:${name}`}
          value={theirs?.versions[name] ?? answer?.values[`was:${name}`] ?? version}
        />
      ))}
      {theirs && <Theirs values={values.map(([name, value]) => [labels[name] ?? name, value || m.notGiven(l)])} />}
    </>
  );
}

/** What others have saved while a form was open, beside what was typed in it. */
export function Theirs({ values }: { values: readonly (readonly [label: string, value: string])[] }) {
  return (
    <div className="note stack tight" data-kind="warning" role="alert">
      <p>{m.changedMeanwhile(useLocale())}</p>
      <dl>
        {values.map(([label, value]) => (
          <div key={label}>
            <dt className="muted small">{label}</dt>
            <dd className="break">{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
