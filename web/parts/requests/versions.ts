import { hash } from 'node:crypto';
import { answerForm, type FormAnswer } from './forms.ts';

type Values = Record<string, string>;
type Comparison = { changed: ReadonlySet<string>; conflict: FormAnswer | null };

/** Short versions of the values that a form begins with, by field, which it sends back (`Versions` in `forms/versions.tsx`). */
export function versionsOf<Name extends string>(values: Record<Name, string>): Record<Name, string> {
  const versions = Object.entries<string>(values).map(([name, value]) => [name, versionOf(value)]);
  return Object.fromEntries(versions) as Record<Name, string>;
}

/** Browsers send other ends of lines than they were given. */
function versionOf(value: string): string {
  return hash('sha256', value.replaceAll('\r\n', '\n').trim(), 'base64url').slice(0, 16);
}

/**
 * What the user of a form has changed, so that nothing that others have changed since is overwritten unseen.
 * @param current the values that its fields would begin with now
 * @param words how to show them, where that is not the value itself
 * @returns the names of the changed fields; and the answer to the form, if others have changed one of these differently
 */
export function compareForm(form: Values, current: Values, words: Values = {}): Comparison {
  const names = Object.keys(current);
  const versions = versionsOf(current);
  const typed = versionsOf(Object.fromEntries(names.map((name) => [name, form[name] ?? ''])));
  const was = (name: string) => form[`was:${name}`];
  const changed = new Set(names.filter((name) => typed[name] !== was(name)));
  const theirs = [...changed].filter(
    (name) => was(name) !== undefined && ![was(name), typed[name]].includes(versions[name]),
  );
  if (theirs.length === 0) return { changed, conflict: null };
  const values = Object.fromEntries(theirs.map((name) => [name, words[name] ?? current[name] ?? '']));
  return { changed, conflict: { ...answerForm(form, ''), message: null, theirs: { values, versions } } };
}
