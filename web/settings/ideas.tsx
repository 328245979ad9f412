import { redirect, useActionData, useLoaderData } from 'react-router';
import { listFields, listFormFields } from '#src/feedback/fields/fields.ts';
import { updateField } from '#src/feedback/fields/managing.ts';
import { POST_TEXT, POST_TITLE } from '#src/feedback/posts/posts.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { POST_TEMPLATE } from '#src/identity/settings/table.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Select, Submit, TextArea } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { viewIdeaField } from '../posts/list/idea-fields.ts';
import { NewIdeaPreview } from '../posts/list/new-idea.tsx';

export const loader = memberLoader('field.edit', async ({ context }) => {
  const { db, board, actor } = context;
  const fields = await listFields(db.read, board.id, actor);
  return {
    template: board.post_template ?? '',
    longest: POST_TEMPLATE.max,
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    asked: (await listFormFields(db.read, board.id, null)).map(viewIdeaField),
    fields: fields.map((field) => ({
      id: field.id,
      label: field.label,
      isPublic: field.visibility === 'PUBLIC',
      asks:
        field.is_on_form === 0
          ? ('no' as const)
          : field.is_required === 1
            ? ('required' as const)
            : ('optional' as const),
    })),
  };
});

export const action = memberAction('field.edit', async ({ visit, context, form }) => {
  const [, id] = /^field:(.+)$/.exec(form.intent ?? '') ?? [];
  if (id === undefined) {
    await changeBoard(context, { postTemplate: form.postTemplate ?? '' });
    visit.keysChanged();
  } else await updateField(context, id, changesOf(form.asks));
  throw redirect(withUndo(visit, `/b/${context.board.pid}/settings/ideas?done=saved`));
});

/** A field that the form does not ask for may still be required in the API. */
function changesOf(asks: string | undefined) {
  if (asks !== 'required' && asks !== 'optional') return { isOnForm: false };
  return { isOnForm: true, isRequired: asks === 'required' };
}

/** What the form for a new idea begins with, and which fields of the board it asks for. */
export default function IdeaForm() {
  const { template, longest, fields, lengths, asked } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections narrow">
      <PageTitle>{m.ideaForm(l)}</PageTitle>
      <PageForm answer={answer} intent="template">
        <TextArea
          name="postTemplate"
          label={m.ideaTemplate(l)}
          help={m.ideaTemplateHelp(l)}
          defaultValue={template}
          maxLength={longest}
          rows={6}
        />
        <Submit>{m.save(l)}</Submit>
      </PageForm>
      <section className="stack" aria-labelledby="fields">
        <h2 id="fields">{m.fields(l)}</h2>
        <p className="muted">{fields.length === 0 ? m.noFields(l) : m.fieldsHelp(l)}</p>
        <ul className="rows">
          {fields.map((field) => (
            <Field key={field.id} field={field} answer={answer} />
          ))}
        </ul>
      </section>
      <section className="stack" aria-labelledby="preview">
        <h2 id="preview">{m.preview(l)}</h2>
        <p className="muted">{m.ideaPreviewHelp(l)}</p>
        <NewIdeaPreview lengths={lengths} template={template} fields={asked} isSignedIn />
      </section>
    </div>
  );
}

type Row = ReturnType<typeof useLoaderData<typeof loader>>['fields'][number];

function Field({ field: { id, label, isPublic, asks }, answer }: { field: Row; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const choices = { no: m.askNo(l), optional: m.askOptional(l), required: m.askRequired(l) };
  return (
    <li className="row-item">
      <div className="person">
        <span dir="auto">{label}</span>
        <span className="muted small">{isPublic ? m.visibleToAll(l) : m.visibleToTeam(l)}</span>
      </div>
      <PageForm answer={answer} intent={`field:${id}`} className="row" key={asks}>
        <Select name="asks" label={m.askFor(l, { label })} isLabelHidden defaultValue={asks} options={choices} />
        <Submit kind="plain">
          {m.save(l)} <span className="visually-hidden">{label}</span>
        </Submit>
      </PageForm>
    </li>
  );
}
