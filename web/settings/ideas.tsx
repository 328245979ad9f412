import { redirect, useActionData, useLoaderData } from 'react-router';
import { countValues } from '#src/feedback/fields/counting.ts';
import { type Field, fieldTypes, findField, listFields } from '#src/feedback/fields/fields.ts';
import { createField, deleteField, rearrangeFields, typesAfter, updateField } from '#src/feedback/fields/managing.ts';
import { POST_TEXT, POST_TITLE } from '#src/feedback/posts/posts.ts';
import { MAX_UNDONE } from '#src/identity/activity/activity.ts';
import { changeBoard } from '#src/identity/settings/settings.ts';
import { POST_TEMPLATE } from '#src/identity/settings/table.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { parseLocale } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit, TextArea } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { viewIdeaField } from '../posts/idea-fields.ts';
import { NewIdeaPreview } from '../posts/list/new-idea.tsx';
import { changesOf, exampleFields, typeNames } from './field-form.ts';
import { FieldForm, FieldRows, type FieldView } from './fields.tsx';
import { putBefore, swapped } from './move.tsx';

export const loader = memberLoader('field.edit', async ({ context }) => {
  const { db, board, actor } = context;
  const fields = await listFields(db.read, board.id, actor);
  return {
    template: board.post_template ?? '',
    longest: POST_TEMPLATE.max,
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    asked: (await listFields(db.read, board.id, null)).filter((field) => field.is_on_form === 1).map(viewIdeaField),
    fields: await viewFields(context, fields),
  };
});

async function viewFields({ db, board }: ActorContext, fields: readonly Field[]): Promise<FieldView[]> {
  const counts = await countValues(db.slow, board.id, fields);
  return fields.map(({ id, label, description, type, visibility, options, ...field }) => {
    const posts = counts.fields.get(id) ?? 0;
    return {
      id,
      label,
      description: description ?? '',
      type,
      types: typesAfter(type, posts > 0),
      isPublic: visibility === 'PUBLIC',
      asks: field.is_on_form === 0 ? 'no' : field.is_required === 1 ? 'required' : 'optional',
      posts,
      isFinal: posts >= MAX_UNDONE,
      options: options.map((option) => ({ ...option, posts: counts.options.get(id)?.get(option.id) ?? 0 })),
    };
  });
}

export const action = memberAction('field.edit', async ({ visit, context, form }) => {
  const [intent = '', id = ''] = (form.intent ?? '').split(':');
  const here = `/b/${context.board.pid}/settings/ideas`;
  switch (intent) {
    case 'template':
      await changeBoard(context, { postTemplate: form.postTemplate ?? '' });
      visit.keysChanged();
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'delete':
      if (form.sure !== 'on') throw redirect(`${here}#field-${id}`);
      await deleteField(context, id);
      throw redirect(withUndo(visit, `${here}?done=removed`));
    default:
      await changeFields(context, form, intent, id);
      throw redirect(withUndo(visit, `${here}?done=saved${id ? `#field-${id}` : ''}`));
  }
});

async function changeFields(context: ActorContext, form: Record<string, string>, intent: string, id: string) {
  const { db, board, actor } = context;
  if (form.type !== undefined && !fieldTypes.some((type) => type === form.type))
    throw new Response(null, { status: 400 });
  const listIds = async () => (await listFields(db.read, board.id, actor)).map((field) => field.id);
  switch (intent) {
    case 'add': {
      const { label = '', type = 'TEXT', ...changes } = changesOf(form, null);
      return createField(context, { ...changes, label: label ?? '', type: type ?? 'TEXT' });
    }
    case 'example': {
      const example = exampleFields(parseLocale(actor.locale ?? board.locale))[Number(id)];
      if (!example) throw new Response(null, { status: 400 });
      return createField(context, example);
    }
    case 'edit':
      return updateField(context, id, changesOf(form, await findField(context, id)));
    case 'up':
    case 'down':
      return rearrangeFields(context, swapped(await listIds(), id, intent === 'up' ? -1 : 1));
    case 'put':
      return rearrangeFields(context, putBefore(await listIds(), id, form.before ?? ''));
    default:
      throw new Response(null, { status: 400 });
  }
}

/** What the form for a new idea begins with, and the fields of the board: which there are, and which it asks for. */
export default function IdeaForm() {
  const { template, longest, fields, lengths, asked } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.ideaForm(l)}</PageTitle>
      <section className="stack" aria-labelledby="fields">
        <h2 id="fields">{m.fields(l)}</h2>
        <p className="muted">{m.fieldsHelp(l)}</p>
        {fields.length === 0 ? <Examples answer={answer} /> : <FieldRows fields={fields} answer={answer} />}
      </section>
      <section className="stack narrow" aria-labelledby="add">
        <h2 id="add">{m.addField(l)}</h2>
        <FieldForm key={fields.length} intent="add" answer={answer}>
          {m.addField(l)}
        </FieldForm>
      </section>
      <section className="stack narrow" aria-labelledby="template">
        <h2 id="template">{m.ideaTemplate(l)}</h2>
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
      </section>
      <section className="stack" aria-labelledby="preview">
        <h2 id="preview">{m.preview(l)}</h2>
        <p className="muted">{m.ideaPreviewHelp(l)}</p>
        <NewIdeaPreview lengths={lengths} template={template} fields={asked} isSignedIn />
      </section>
    </div>
  );
}

/** Fields to begin with, each added by a button. */
function Examples({ answer }: { answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <>
      <p>{m.noFields(l)}</p>
      <ul className="rows">
        {exampleFields(l).map(({ label, type, options, visibility }, n) => (
          <li className="row-item" key={label}>
            <div className="person">
              <span>{label}</span>
              <span className="muted small">
                {[
                  options?.map((option) => option?.name).join(', ') ?? typeNames(l)[type],
                  visibility === 'TEAM' ? m.visibleToTeam(l) : m.visibleToAll(l),
                ].join(' · ')}
              </span>
            </div>
            <PageForm answer={answer} intent={`example:${n}`} className="inline">
              <Submit kind="plain">{m.addExample(l, { name: label })}</Submit>
            </PageForm>
          </li>
        ))}
      </ul>
    </>
  );
}
