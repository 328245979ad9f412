import { useState } from 'react';
import { useSubmit } from 'react-router';
import type { FieldType } from '#src/feedback/fields/fields.ts';
import * as m from '../i18n/messages.ts';
import { Checkbox, PageForm, Select, Submit, TextArea, TextField } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { Icon } from '../parts/show/icon.tsx';
import { IdeaFields } from '../posts/idea-fields.tsx';
import { useDragOrder } from './drag-order.ts';
import { type Asks, previewOf, typeNames } from './field-form.ts';
import { Move } from './move.tsx';

const MAX_LABEL = 100;
const MAX_HELP = 1_000;

/** A field as its settings show it. */
export type FieldView = {
  id: string;
  label: string;
  description: string;
  type: FieldType;
  /** The types that it can change to. */
  types: readonly FieldType[];
  isPublic: boolean;
  asks: Asks;
  /** Ideas with a value. */
  posts: number;
  /** Whether so many have one that deleting the field cannot be undone. */
  isFinal: boolean;
  options: readonly { id: string; name: string; color: string | null; posts: number }[];
};

type RowsProps = { fields: readonly FieldView[]; answer: FormAnswer | undefined };

/** The fields of the board in their order, each with its settings. */
export function FieldRows({ fields, answer }: RowsProps) {
  const l = useLocale();
  const submit = useSubmit();
  const { handleOf, rowOf } = useDragOrder(
    fields.map(({ id }) => id),
    (id, before) => submit({ intent: `put:${id}`, before: before ?? '' }, { method: 'post', preventScrollReset: true }),
  );
  return (
    <ol className="rows">
      {fields.map((field, n) => (
        <li key={field.id} className="row-item" id={`field-${field.id}`} {...rowOf(field.id)}>
          <span className="drag-handle" title={m.dragToMove(l)} {...handleOf(field.id)}>
            <Icon name="grip-vertical" />
          </span>
          <Summary field={field} />
          <div className="row">
            <Move
              intent={`up:${field.id}`}
              sign="↑"
              label={m.moveUp(l, { name: field.label })}
              isDisabled={n === 0}
              answer={answer}
            />
            <Move
              intent={`down:${field.id}`}
              sign="↓"
              label={m.moveDown(l, { name: field.label })}
              isDisabled={n === fields.length - 1}
              answer={answer}
            />
          </div>
          <Settings field={field} answer={answer} />
        </li>
      ))}
    </ol>
  );
}

function Summary({ field: { label, type, isPublic, asks, posts } }: { field: FieldView }) {
  const l = useLocale();
  const facts = [
    typeNames(l)[type],
    ...(asks === 'no' ? [] : [asksNames(l)[asks]]),
    isPublic ? m.visibleToAll(l) : m.visibleToTeam(l),
    m.ideaCount(l, { count: posts }),
  ];
  return (
    <div className="person">
      <span dir="auto">{label}</span>
      <span className="muted small">{facts.join(' · ')}</span>
    </div>
  );
}

function Settings({ field, answer }: { field: FieldView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const { id, label, posts, isFinal } = field;
  const edit = `edit:${id}`;
  const isOpen = answer?.values.intent === edit;
  return (
    <details className="status-edit" open={isOpen}>
      <summary>
        {m.change(l)} <span className="visually-hidden">{label}</span>
      </summary>
      <FieldForm key={JSON.stringify({ ...field, posts: 0 })} field={field} intent={edit} answer={answer}>
        {m.save(l)}
      </FieldForm>
      <PageForm answer={answer} intent={`delete:${id}`} className="stack status-delete">
        <Checkbox
          name="sure"
          label={m.deleteFieldSure(l, { count: posts })}
          help={isFinal ? m.cannotBeUndone(l) : null}
          isRequired
        />
        <Submit kind="danger">{m.deleteField(l)}</Submit>
      </PageForm>
    </details>
  );
}

type FormProps = { field?: FieldView; intent: string; answer: FormAnswer | undefined; children: string };

/** The settings of a field, or those of a new one, with the control that visitors get while these are typed. */
export function FieldForm({ field, intent, answer, children }: FormProps) {
  const l = useLocale();
  const { label = '', description = '', type = 'TEXT', types, isPublic = true, asks = 'optional' } = field ?? {};
  const saved = { label, description, type, asks };
  const [preview, setPreview] = useState(() => previewOf(answer?.values ?? saved, field ?? null));
  const names = typeNames(l);
  const offered = types ? Object.fromEntries(types.map((each) => [each, names[each]])) : names;
  return (
    <PageForm
      answer={answer}
      intent={intent}
      className="stack field-form"
      preventScrollReset
      onChange={({ currentTarget }) => {
        const texts = [...new FormData(currentTarget)].filter(
          (entry): entry is [string, string] => !(entry[1] instanceof File),
        );
        setPreview(previewOf(Object.fromEntries(texts), field ?? null));
      }}
    >
      {/* The first button of a form is the one that Enter presses: not one that moves an option. */}
      <button type="submit" className="visually-hidden" tabIndex={-1} aria-hidden />
      <TextField name="label" label={m.fieldName(l)} defaultValue={label} maxLength={MAX_LABEL} required />
      <Select
        name="type"
        label={m.fieldType(l)}
        help={types && types.length < Object.keys(names).length ? m.fieldTypeHelp(l) : undefined}
        defaultValue={type}
        options={offered}
      />
      <div className="field-options">
        {field?.options.map((option) => (
          <Option key={option.id} option={option} />
        ))}
        <TextArea
          name="options"
          label={field?.options.length ? m.fieldOptionsMore(l) : m.fieldOptions(l)}
          help={m.fieldOptionsHelp(l)}
          rows={field?.options.length ? 2 : 4}
        />
      </div>
      <TextField
        name="description"
        label={m.fieldHelp(l)}
        help={m.fieldHelpHelp(l)}
        defaultValue={description}
        maxLength={MAX_HELP}
      />
      <Select name="asks" label={m.fieldAsks(l)} defaultValue={asks} options={asksNames(l)} />
      <Checkbox name="private" label={m.fieldPrivate(l)} defaultChecked={!isPublic} />
      {preview && (
        <div className="field-preview" aria-hidden inert>
          <p className="muted small">{m.preview(l)}</p>
          <IdeaFields key={`${preview.type} ${preview.options.length}`} fields={[preview]} />
        </div>
      )}
      <Submit>{children}</Submit>
    </PageForm>
  );
}

function Option({ option: { id, name, posts } }: { option: FieldView['options'][number] }) {
  const l = useLocale();
  return (
    <div className="field-option">
      <TextField
        name={`option:${id}`}
        label={m.fieldOption(l, { name })}
        isLabelHidden
        defaultValue={name}
        maxLength={MAX_LABEL}
        required
      />
      <span className="muted small">{m.ideaCount(l, { count: posts })}</span>
      <button type="submit" className="icon-button" name="move" value={`up:${id}`} aria-label={m.moveUp(l, { name })}>
        ↑
      </button>
      <button
        type="submit"
        className="icon-button"
        name="move"
        value={`down:${id}`}
        aria-label={m.moveDown(l, { name })}
      >
        ↓
      </button>
      <Checkbox name={`remove:${id}`} label={m.fieldOptionRemove(l)} />
    </div>
  );
}

function asksNames(l: ReturnType<typeof useLocale>): Record<Asks, string> {
  return { no: m.askNo(l), optional: m.askOptional(l), required: m.askRequired(l) };
}
