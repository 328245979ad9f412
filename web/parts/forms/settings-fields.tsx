import { type ReactNode, useId } from 'react';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../requests/locale.ts';
import { Field, type InputProps, TextField, useAnswer, useField } from './form.tsx';

/** A new password, which has a minimum length; the current one has a field of another kind. */
export function NewPasswordField({
  length: { min, max },
  ...rest
}: Pick<InputProps, 'label' | 'required'> & { length: { min: number; max: number } }) {
  const help = m.passwordHelp(useLocale(), { min, max });
  const kind = { name: 'password', type: 'password', autoComplete: 'new-password' };
  return <TextField {...kind} help={help} minLength={min} maxLength={max} {...rest} />;
}

/** A file to choose; after a mistake it must be chosen again, since pages cannot redisplay it. */
export function FileField({ label, help, ...rest }: Omit<InputProps, 'type' | 'defaultValue' | 'isLabelHidden'>) {
  const { id, error, aria } = useField({ name: rest.name, label, help });
  return (
    <Field id={id} name={rest.name} label={label} help={help} error={error}>
      <input id={id} type="file" className="input" {...aria} {...rest} />
    </Field>
  );
}

type RadiosProps = {
  name: string;
  legend: string;
  help?: string | undefined;
  defaultValue: string;
  options: Record<string, string>;
  children?: ReactNode;
};

/** One of a few, all of them visible; content that belongs to a choice is below them. */
export function Radios({ name, legend, help, defaultValue, options, children }: RadiosProps) {
  const id = useId();
  const checked = useAnswer()?.values[name] ?? defaultValue;
  return (
    <fieldset>
      <legend>{legend}</legend>
      {help && <p className="muted small">{help}</p>}
      {Object.entries(options).map(([value, words]) => (
        <div key={value} className="choice">
          <input id={`${id}-${value}`} type="radio" name={name} value={value} defaultChecked={value === checked} />
          <label htmlFor={`${id}-${value}`}>{words}</label>
        </div>
      ))}
      {children}
    </fieldset>
  );
}

/** The end of a guarded form. With unsaved input it stays visible, and says so. */
export function SaveBar({ children }: { children: ReactNode }) {
  const l = useLocale();
  return (
    <div className="save-bar">
      {children}
      <span className="save-bar-words muted small" role="status">
        <span>{m.unsaved(l)}</span>
      </span>
    </div>
  );
}
