import {
  type ComponentProps,
  createContext,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  use,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from 'react';
import { Form, useFetchers, useNavigation } from 'react-router';
import { restoreEarlyText } from '../../lib/early-text.ts';
import type { FormAnswer } from '../requests/forms.ts';
import { Icon } from '../show/icon.tsx';
import { useUnsaved } from './unsaved.tsx';

const AnswerContext = createContext<FormAnswer | undefined>(undefined);
/** The fetcher that sends the form; none if it navigates. */
const FetcherContext = createContext<string | undefined>(undefined);

type PageFormProps = ComponentProps<typeof Form> & {
  answer: FormAnswer | undefined;
  intent?: string;
  isGuarded?: boolean;
  /** What to say instead of the message of the answer. */
  message?: string | undefined;
};

/**
 * A form that works without scripts. `intent` distinguishes the forms of one page: only the one that was sent shows
 * errors. Leaving a guarded form with unsaved input asks for confirmation, if it is inside an `UnsavedGuard`.
 */
export function PageForm({ answer, intent, isGuarded = false, message, children, ...rest }: PageFormProps) {
  const own = ownAnswer(answer, intent);
  return (
    <Form method="post" className="stack" {...useUnsaved(isGuarded, own)} {...rest}>
      {intent && <input type="hidden" name="intent" value={intent} />}
      <FetcherContext value={rest.fetcherKey}>
        <AnswerContext value={own}>
          {own?.message && (
            <p className="note" data-kind="error" role="alert">
              {message ?? own.message}
            </p>
          )}
          {children}
        </AnswerContext>
      </FetcherContext>
    </Form>
  );
}

/** The answer to a form with this intent; that to another form of its page does not count. */
export function ownAnswer(answer: FormAnswer | undefined, intent: string | undefined): FormAnswer | undefined {
  return intent === undefined || answer?.values.intent === intent ? answer : undefined;
}

/** What came of the form around, if it was refused or previewed. */
export function useAnswer(): FormAnswer | undefined {
  return use(AnswerContext);
}

type Labelled = { name: string; label: string; help?: ReactNode };

/** The ids and texts that tie a control to its label, help and error. */
export function useField({ name, help, id: ownId }: Labelled & { id?: string | undefined }) {
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

/** A control with its label, help and error. */
export function Field({ id, label, help, error, isLabelHidden, children }: FieldProps) {
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

export type InputProps = Labelled & { isLabelHidden?: boolean; ref?: Ref<HTMLInputElement> } & Omit<
    InputHTMLAttributes<HTMLInputElement>,
    'name'
  >;

/** One line of text, a number, a day, a color: after a mistake the input is redisplayed. */
export function TextField({ label, help, defaultValue, isLabelHidden, id: ownId, ...rest }: InputProps) {
  const { id, error, typed, aria } = useField({ name: rest.name, label, help, id: ownId });
  return (
    <Field id={id} name={rest.name} label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      <input id={id} className="input" defaultValue={typed ?? defaultValue} {...aria} {...rest} />
    </Field>
  );
}

type AreaProps = Labelled & {
  defaultValue?: string;
  rows?: number;
  required?: boolean;
  maxLength?: number;
  onChange?: (text: string) => void;
} & Pick<ComponentProps<'textarea'>, 'ref' | 'onFocus' | 'onKeyDown' | 'aria-keyshortcuts'>;

/** Several lines of text. */
export function TextArea({ label, help, defaultValue, onChange, ...rest }: AreaProps) {
  const { id, error, typed, aria } = useField({ name: rest.name, label, help });
  useLayoutEffect(() => restoreEarlyText(document.getElementById(id)), [id]);
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

type SelectProps = Labelled & {
  defaultValue?: string;
  options: Record<string, string>;
  isLabelHidden?: boolean;
  required?: boolean;
};

/** One of a few. */
export function Select({ label, help, defaultValue, options, name, isLabelHidden, required }: SelectProps) {
  const { id, error, typed, aria } = useField({ name, label, help });
  return (
    <Field id={id} name={name} label={label} help={help} error={error} isLabelHidden={isLabelHidden}>
      <select id={id} name={name} className="input" defaultValue={typed ?? defaultValue} required={required} {...aria}>
        {Object.entries(options).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </Field>
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

type SubmitProps = {
  children: ReactNode;
  kind?: 'primary' | 'danger' | 'plain' | 'quiet';
  name?: string;
  value?: string;
  isDisabled?: boolean;
};

/** Sends the form; while it is being sent, a second click does nothing, and the pressed button shows a spinner. */
export function Submit({ children, kind = 'primary', name, value, isDisabled = false }: SubmitProps) {
  const fetcherKey = use(FetcherContext);
  const isNavigating = useNavigation().state === 'submitting';
  const isFetching = useFetchers().some(({ key, state }) => key === fetcherKey && state === 'submitting');
  const isSending = isNavigating || isFetching;
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
      disabled={isSending || isDisabled}
      aria-busy={(isSending && isPressed) || undefined}
      onClick={() => setIsPressed(true)}
    >
      {children}
    </button>
  );
}
