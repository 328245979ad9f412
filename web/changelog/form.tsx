import type { ChangeEvent } from 'react';
import { Link } from 'react-router';
import type { Locale } from '../i18n/languages.ts';
import * as m from '../i18n/messages.ts';
import { MAX_FILE_BYTES } from '../lib/picture.ts';
import { Checkbox, GroupError, PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { FileField, SaveBar } from '../parts/forms/settings-fields.tsx';
import { UnsavedGuard } from '../parts/forms/unsaved-guard.tsx';
import { Versions } from '../parts/forms/versions.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { MarkdownArea, PreviewButton } from '../parts/texts/markdown-area.tsx';
import { labelName } from './labels.ts';

/** What a form for an entry begins with, by the names of its fields. */
export type EntryFields = Record<string, string>;

export type EntryFormProps = {
  fields: EntryFields;
  /** Of the title and the text that it begins with, if there is an entry. */
  versions?: Record<string, string>;
  /** Whether it can still be published; a published entry is only saved. */
  isPublished: boolean;
  form: { formId: string; lengths: { title: number; text: number }; zone: string; subscribers: number };
  answer: FormAnswer | undefined;
  back: string;
};

const labels = ['NEW', 'IMPROVED', 'FIXED'] as const;

/** Where the team writes an entry: the text with a preview, labels, ideas, files, and when it is published. */
export function EntryForm({ fields, versions = {}, isPublished, form, answer, back }: EntryFormProps) {
  const l = useLocale();
  const values = answer?.values ?? fields;
  return (
    <UnsavedGuard>
      <PageForm answer={answer} encType="multipart/form-data" isGuarded>
        {/* What Return does in a field: the first button of a form. */}
        <button
          type="submit"
          name="intent"
          value="enter"
          className="visually-hidden"
          tabIndex={-1}
          aria-hidden="true"
        />
        <Versions of={versions} labels={{ title: m.entryTitle(l), text: m.entryText(l) }} />
        <input type="hidden" name="formId" value={answer?.values.formId ?? form.formId} />
        <TextField
          name="title"
          label={m.entryTitle(l)}
          defaultValue={fields.title}
          maxLength={form.lengths.title}
          required
        />
        <MarkdownArea
          name="text"
          label={m.entryText(l)}
          defaultValue={fields.text ?? ''}
          maxLength={form.lengths.text}
          rows={12}
          takesMentions={false}
          hasPreview
        />
        <fieldset>
          <legend>{m.entryLabels(l)}</legend>
          <div className="row">
            {labels.map((label) => (
              <Checkbox
                key={label}
                name={`label:${label}`}
                label={labelName(l, label)}
                defaultChecked={fields[`label:${label}`] === 'on'}
              />
            ))}
          </div>
        </fieldset>
        <IdeasField values={values} />
        <FilesField values={values} />
        <Publishing isPublished={isPublished} at={fields.at} form={form} />
        <SaveBar>
          <Submit kind={isPublished ? 'primary' : 'plain'} name="intent" value="save">
            {isPublished ? m.save(l) : m.saveDraft(l)}
          </Submit>
          <PreviewButton />
          <Link to={back}>{m.cancel(l)}</Link>
        </SaveBar>
      </PageForm>
    </UnsavedGuard>
  );
}

type PublishingProps = Pick<EntryFormProps, 'isPublished' | 'form'> & { at: string | undefined };

/** Now, or at a time. */
function Publishing({ isPublished, at, form: { zone, subscribers } }: PublishingProps) {
  const l = useLocale();
  if (isPublished) return null;
  return (
    <fieldset>
      <legend>{m.publishing(l)}</legend>
      <p className="muted small">
        {m.publishingHelp(l)} {subscribers > 0 && m.changelogReaders(l, { count: subscribers })}
      </p>
      <div className="row publishing">
        <Submit name="intent" value="publish">
          {m.publishNow(l)}
        </Submit>
        <TextField name="at" type="datetime-local" label={m.publishAt(l, { zone })} defaultValue={at} />
        <Submit kind="plain" name="intent" value="schedule">
          {m.schedule(l)}
        </Submit>
      </div>
    </fieldset>
  );
}

/** Ideas are looked for by words or number; those that are checked are linked. */
function IdeasField({ values }: { values: EntryFields }) {
  const l = useLocale();
  const found = namedIn(values, 'post');
  return (
    <fieldset>
      <legend>{m.entryIdeas(l)}</legend>
      <Choices kind="post" choices={found} values={values} />
      {values.found !== undefined && found.length === 0 && <p role="status">{m.noIdeasFound(l)}</p>}
      {values.found !== undefined && <input type="hidden" name="found" value={values.found} />}
      <GroupError name="postIds" />
      <div className="row find-ideas">
        <TextField name="find" label={m.findIdeas(l)} maxLength={200} />
        <Submit kind="plain" name="intent" value="find">
          {m.search(l)}
        </Submit>
      </div>
    </fieldset>
  );
}

function FilesField({ values }: { values: EntryFields }) {
  const l = useLocale();
  const kept = namedIn(values, 'file');
  return (
    <fieldset>
      <legend>{m.entryFiles(l)}</legend>
      <Choices kind="file" choices={kept} values={values} />
      <GroupError name="files" />
      <FileField
        key={kept.length}
        name="file"
        label={m.addFile(l)}
        help={m.addFileHelp(l)}
        onChange={(event) => refuseLarge(event, l)}
      />
    </fieldset>
  );
}

type Named = { id: string; name: string };

/** What a form names of posts or files, checked or not. */
function namedIn(values: EntryFields, kind: 'post' | 'file'): Named[] {
  const start = `${kind}-name:`;
  return Object.entries(values).flatMap(([field, name]) =>
    field.startsWith(start) ? { id: field.slice(start.length), name } : [],
  );
}

function Choices({ kind, choices, values }: { kind: string; choices: readonly Named[]; values: EntryFields }) {
  return choices.map(({ id, name }) => (
    <div key={`${id} ${values[`${kind}:${id}`]}`}>
      <Checkbox name={`${kind}:${id}`} label={name} defaultChecked={values[`${kind}:${id}`] === 'on'} />
      <input type="hidden" name={`${kind}-name:${id}`} value={name} />
    </div>
  ));
}

/** Says so before the form is sent: what was typed would not come back from a form that is too large. */
function refuseLarge({ currentTarget }: ChangeEvent<HTMLInputElement>, l: Locale): void {
  const isLarge = (currentTarget.files?.[0]?.size ?? 0) > MAX_FILE_BYTES;
  currentTarget.setCustomValidity(isLarge ? m.fileTooLarge(l) : '');
  if (isLarge) currentTarget.reportValidity();
}
