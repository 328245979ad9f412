import './desk.css';
import { Form, Link, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { PageForm, Select, TextField } from '../../parts/forms/form.tsx';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { useNarrowing } from '../../parts/show/narrowing.tsx';
import { Picker } from '../../parts/show/picker.tsx';
import { controlOf } from './controls.ts';
import type { Desk } from './desk.ts';

/** Characters of a name of a view. */
const MAX_NAME = 60;

type FilterBarProps = {
  desk: Desk;
  /** The parameters that the form has, in this order. */
  parameters: readonly string[];
  /** What else of the URL stays. */
  kept?: readonly (readonly [name: string, value: string])[];
  isSaveable?: boolean;
};

/** Opens the filter of a list, shows what it is as links that remove it, and keeps it under a name. */
export function FilterBar({ desk, parameters, kept = [], isSaveable = true }: FilterBarProps) {
  const l = useLocale();
  const { pathname } = useLocation();
  // The board's list has filters of its own, which everyone sees.
  const words = desk.kind === 'IDEAS' ? m.filterMore(l) : m.filters(l);
  const shown = parameters.filter((name) => valuesOf(desk, name).length > 0);
  return (
    <div className="desk-bar">
      <Picker
        id="filter-list"
        label={words}
        className="button"
        button={
          <>
            <Icon name="list-filter" />
            {words}
          </>
        }
      >
        <Form action={pathname} className="stack">
          {kept.map(([name, value]) => (
            <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
          ))}
          {parameters.map((name) => (
            <Parameter key={name} name={name} desk={desk} />
          ))}
          <button type="submit" className="button" data-kind="primary">
            {m.filterApply(l)}
          </button>
        </Form>
      </Picker>
      {isSaveable && <SaveView desk={desk} />}
      {shown.length > 0 && (
        <ul className="chips">
          {shown.flatMap((name) =>
            valuesOf(desk, name).map((value) => (
              <li key={`${name} ${value}`}>
                <Chip name={name} value={value} desk={desk} kept={kept} parameters={parameters} />
              </li>
            )),
          )}
        </ul>
      )}
    </div>
  );
}

function valuesOf({ conditions }: Desk, name: string): readonly string[] {
  return (conditions as Record<string, readonly string[]>)[name] ?? [];
}

function choicesOf({ choices }: Desk, name: string, options: Record<string, string> = {}) {
  const fixed = Object.entries(options).map(([value, words]) => ({ value, name: words }));
  return (choices as Record<string, { value: string; name: string }[]>)[name] ?? fixed;
}

/** The control of one parameter. */
function Parameter({ name, desk }: { name: string; desk: Desk }) {
  const l = useLocale();
  const control = controlOf(l, name);
  const values = valuesOf(desk, name);
  const choices = choicesOf(desk, name, control?.options);
  if (!control || (control.as === 'many' && choices.length === 0)) return null;
  const { as, words } = control;
  switch (as) {
    case 'many':
      return <Many name={name} words={words} choices={choices} values={values} />;
    case 'one': {
      const options = { '': m.filterAny(l), ...Object.fromEntries(choices.map((one) => [one.value, one.name])) };
      return <Select name={name} label={words} options={options} defaultValue={values[0] ?? ''} />;
    }
    case 'number':
      return <TextField name={name} type="number" label={words} min={1} defaultValue={values[0] ?? ''} />;
    case 'yes':
      return (
        <label className="choice">
          <input type="checkbox" name={name} value="yes" defaultChecked={values.length > 0} />
          <span>{words}</span>
        </label>
      );
    default:
      return as satisfies never;
  }
}

type ManyProps = {
  name: string;
  words: string;
  choices: readonly { value: string; name: string }[];
  values: readonly string[];
};

function Many({ name, words, choices, values }: ManyProps) {
  const { field, fits } = useNarrowing(choices.map((choice) => choice.name));
  return (
    <fieldset className="desk-many">
      <legend>{words}</legend>
      {field}
      <div>
        {choices.map((choice) => (
          <label key={choice.value} className="choice" hidden={!fits(choice.name)}>
            <input type="checkbox" name={name} value={choice.value} defaultChecked={values.includes(choice.value)} />
            <bdi>{choice.name}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

type ChipProps = Required<Pick<FilterBarProps, 'desk' | 'kept' | 'parameters'>> & { name: string; value: string };

/** A value of the filter, as a link to the list without it. */
function Chip({ name, value, desk, kept, parameters }: ChipProps) {
  const l = useLocale();
  const control = controlOf(l, name);
  const rest = parameters.flatMap((other) =>
    valuesOf(desk, other).flatMap((one) => (other === name && one === value ? [] : [[other, one]])),
  );
  const own = choicesOf(desk, name, control?.options).find((choice) => choice.value === value)?.name;
  const words = control?.as === 'yes' ? control.words : `${control?.words ?? name}: ${own ?? value}`;
  return (
    <Link
      className="filter-chip"
      to={`?${new URLSearchParams([...kept.map(([key, one]) => [key, one]), ...rest])}`}
      aria-label={m.removeFilter(l, { name: words })}
      preventScrollReset
    >
      <bdi>{words}</bdi>
      <Icon name="x" size={14} />
    </Link>
  );
}

/** Keeps the filter under a name, or instead of that of another view. */
function SaveView({ desk: { kind, conditions, views } }: { desk: Desk }) {
  const l = useLocale();
  const action = `/b/${useBoard()?.pid}/views`;
  const pairs = Object.entries(conditions).flatMap(([name, values]) => values.map((value) => [name, value]));
  const fields = (
    <>
      <input type="hidden" name="kind" value={kind} />
      <input type="hidden" name="query" value={new URLSearchParams(pairs).toString()} />
    </>
  );
  return (
    <Picker id="save-view" label={m.viewSave(l)} className="button" button={m.viewSave(l)}>
      <PageForm answer={undefined} intent="save" action={action}>
        {fields}
        <TextField name="name" label={m.viewName(l)} maxLength={MAX_NAME} required />
        <Select
          name="shared"
          label={m.viewFor(l)}
          options={{ '': m.viewForMe(l), on: m.viewForTeam(l) }}
          defaultValue=""
        />
        <button type="submit" className="button" data-kind="primary">
          {m.viewSave(l)}
        </button>
      </PageForm>
      {views.length > 0 && (
        <PageForm answer={undefined} intent="replace" action={action}>
          {fields}
          <Select
            name="view"
            label={m.viewReplaced(l)}
            options={Object.fromEntries(views.map(({ id, name }) => [id, name]))}
          />
          <button type="submit" className="button">
            {m.viewReplace(l)}
          </button>
        </PageForm>
      )}
    </Picker>
  );
}
