import {
  type ComponentProps,
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  use,
  useEffect,
  useId,
  useState,
} from 'react';
import { Form, type FormProps, useNavigation } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import { Icon } from './icon.tsx';
import { useUnsaved } from './unsaved.tsx';

const AnswerContext = createContext<FormAnswer | undefined>(undefined);

/**
 * A form that works without scripts. `intent` distinguishes the forms of one page: only the one that was sent shows
 * errors. Leaving a guarded form with unsaved input asks for confirmation, if it is inside an `UnsavedGuard`.
 */
export function PageForm({
  answer,
  intent,
  isGuarded = false,
  children,
  ...rest
}: FormProps & { answer: FormAnswer | undefined; intent?: string; isGuarded?: boolean }) {
  const own = intent === undefined || answer?.values.intent === intent ? answer : undefined;
  return (
    <Form method="post" className="stack" {...useUnsaved(isGuarded, own)} {...rest}>
      {intent && <input type="hidden" name="intent" value={intent} />}
      <AnswerContext value={own}>
        {own?.message && (
          <p className="note" data-kind="error" role="alert">
            {own.message}
          </p>
        )}
        {children}
      </AnswerContext>
    </Form>
  );
}

type Labelled = { name: string; label: string; help?: ReactNode };

/** The ids and texts that tie a control to its label, help and error. */
function useField({ name, help, id: ownId }: Labelled & { id?: string | undefined }) {
  const madeId = useId();
  const id = ownId ?? madeId;
  const answer = use(AnswerContext);
  const error = answer?.errors[name];
  const describedBy = [help ? `${id}-help` : null, error ? `${id}-error` : null].filter(Boolean).join(' ');
  return {
    id,
    error,
    typed: answer?.values[name],
    aria: { 'aria-invalid': error ? (true as const) : undefined, 'aria-describedby': describedBy || undefined },
  };
}

type FieldProps = Labelled & {
  id: string;
  error: string | undefined;
  isLabelHidden?: boolean | undefined;
  children: ReactNode;
};

function Field({ id, label, help, error, isLabelHidden, children }: FieldProps) {
  return (
    <div className="field">
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {children}
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && (
        <p className="error" id={`${id}-error`} role="alert">
          <Icon name="x" size={14} />
          {error}
        </p>
      )}
    </div>
  );
}

type InputProps = Labelled & { isLabelHidden?: boolean } & Omit<InputHTMLAttributes<HTMLInputElement>, 'name'>;

/** One line of text, a number, a day, a color: after a mistake the input is redisplayed. */
export function TextField({ label, help, defaultValue, isLabelHidden, id: ownId, ...rest }: InputProps) {
  const { id, error, typed, aria } = useField({ name: rest.name, label, help, id: ownId });
  return (
    <Field id={id} name={rest.name} label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      <input id={id} className="input" defaultValue={typed ?? defaultValue} {...aria} {...rest} />
    </Field>
  );
}

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

type AreaProps = Labelled & {
  defaultValue?: string;
  rows?: number;
  required?: boolean;
  maxLength?: number;
  onChange?: (text: string) => void;
} & Pick<ComponentProps<'textarea'>, 'ref' | 'onKeyDown' | 'aria-keyshortcuts'>;

/** Several lines of text. */
export function TextArea({ label, help, defaultValue, onChange, ...rest }: AreaProps) {
  const { id, error, typed, aria } = useField({ name: rest.name, label, help });
  return (
    <Field id={id} name={rest.name} label={label} help={help} error={error}>
      <textarea
        id={id}
        className="input"
        defaultValue={typed ?? defaultValue}
        onChange={onChange && ((event) => onChange(event.target.value))}
        {...aria}
        {...rest}
      />
    </Field>
  );
}

type SelectProps = Labelled & { defaultValue?: string; options: Record<string, string>; isLabelHidden?: boolean };

/** One of a few. */
export function Select({ label, help, defaultValue, options, name, isLabelHidden }: SelectProps) {
  const { id, error, typed, aria } = useField({ name, label, help });
  return (
    <Field id={id} name={name} label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      <select id={id} name={name} className="input" defaultValue={typed ?? defaultValue} {...aria}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}

type RadiosProps = {
  name: string;
  legend: string;
  help?: string;
  defaultValue: string;
  options: Record<string, string>;
  children?: ReactNode;
};

/** One of a few, all of them visible; content that belongs to a choice is below them. */
export function Radios({ name, legend, help, defaultValue, options, children }: RadiosProps) {
  const id = useId();
  const checked = use(AnswerContext)?.values[name] ?? defaultValue;
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

type CheckboxProps = Labelled & { defaultChecked?: boolean; isRequired?: boolean };

/** Yes or no. */
export function Checkbox({ name, label, help, defaultChecked, isRequired = false }: CheckboxProps) {
  const id = useId();
  const answer = use(AnswerContext);
  const checked = answer ? answer.values[name] === 'on' : defaultChecked;
  return (
    <>
      <div className="choice">
        <input
          id={id}
          type="checkbox"
          name={name}
          defaultChecked={checked}
          required={isRequired}
          aria-describedby={help ? `${id}-help` : undefined}
        />
        <label htmlFor={id}>{label}</label>
      </div>
      {help && (
        <p className="help" id={`${id}-help`}>
          {help}
        </p>
      )}
    </>
  );
}

/** The error of a group of controls. */
export function GroupError({ name }: { name: string }) {
  const error = use(AnswerContext)?.errors[name];
  return error ? (
    <p className="error" role="alert">
      <Icon name="x" size={14} />
      {error}
    </p>
  ) : null;
}

type SubmitProps = { children: ReactNode; kind?: 'primary' | 'danger' | 'plain'; name?: string; value?: string };

/** Sends the form; while it is being sent, a second click does nothing, and the pressed button shows a spinner. */
export function Submit({ children, kind = 'primary', name, value }: SubmitProps) {
  const isSending = useNavigation().state === 'submitting';
  const [isPressed, setIsPressed] = useState(false);
  useEffect(() => {
    if (!isSending) setIsPressed(false);
  }, [isSending]);
  return (
    <button
      className="button"
      data-kind={kind}
      type="submit"
      name={name}
      value={value}
      disabled={isSending}
      aria-busy={(isSending && isPressed) || undefined}
      onClick={() => setIsPressed(true)}
    >
      {children}
    </button>
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
