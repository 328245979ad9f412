import { redirect, useActionData, useLoaderData } from 'react-router';
import { createTag, deleteTag, listTags, updateTag } from '#src/feedback/tags/tags.ts';
import * as m from '../i18n/messages.ts';
import { Checkbox, PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { withUndo } from '../parts/requests/undo.ts';
import { PageTitle } from '../parts/show/page-title.tsx';
import { Tag } from '../posts/tag.tsx';
import { hueOfTag } from '../posts/tags.ts';
import { nextColor } from './next-color.ts';

const MAX_NAME = 50;

export const loader = memberLoader('tag.edit', async ({ context }) => {
  const tags = await listTags(context.db.read, context.board.id, context.actor);
  return {
    tags: tags.map((tag) => ({
      id: tag.id,
      name: tag.name,
      color: tag.color ?? nextColor([]),
      hue: hueOfTag(tag),
      isPrivate: tag.is_private === 1,
      posts: tag.post_count,
    })),
  };
});

export const action = memberAction('tag.edit', async ({ visit, context, form }) => {
  const [intent = '', id = ''] = (form.intent ?? '').split(':');
  const { name = '', color = '' } = form;
  const input = { name, color, isPrivate: form.private === 'on' };
  const here = `/b/${context.board.pid}/settings/tags`;
  switch (intent) {
    case 'add':
      await createTag(context, input);
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'edit':
      await updateTag(context, id, input);
      throw redirect(withUndo(visit, `${here}?done=saved`));
    case 'delete':
      if (form.sure !== 'on') throw redirect(`${here}#tag-${id}`);
      await deleteTag(context, id);
      throw redirect(withUndo(visit, `${here}?done=removed`));
    default:
      throw new Response(null, { status: 400 });
  }
});

/** The tags of the board: names, colors, and which only the team sees. */
export default function Tags() {
  const { tags } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack sections">
      <PageTitle>{m.tags(l)}</PageTitle>
      <p className="muted">{m.tagsHelp(l)}</p>
      {tags.length === 0 ? (
        <p className="empty">{m.noTags(l)}</p>
      ) : (
        <ul className="rows">
          {tags.map((tag) => (
            <TagRow key={tag.id} tag={tag} answer={answer} />
          ))}
        </ul>
      )}
      <section className="stack" aria-labelledby="add">
        <h2 id="add">{m.addTag(l)}</h2>
        <PageForm answer={answer} intent="add" key={tags.length}>
          <TagFields color={nextColor(tags.map(({ color }) => color))} />
          <Submit>{m.addTag(l)}</Submit>
        </PageForm>
      </section>
    </div>
  );
}

type TagView = Awaited<ReturnType<typeof loader>>['tags'][number];

function TagRow({ tag, answer }: { tag: TagView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const { id, name, color, hue, isPrivate, posts } = tag;
  const edit = `edit:${id}`;
  return (
    <li className="row-item" id={`tag-${id}`}>
      <div className="person">
        <span>
          <Tag name={name} hue={hue} />
        </span>
        <span className="muted small">
          {m.ideaCount(l, { count: posts })} · {isPrivate ? m.visibleToTeam(l) : m.visibleToAll(l)}
        </span>
      </div>
      <details className="status-edit" open={answer?.values.intent === edit}>
        <summary>
          {m.change(l)} <span className="visually-hidden">{name}</span>
        </summary>
        <PageForm answer={answer} intent={edit} key={`${name} ${color} ${isPrivate}`}>
          <TagFields name={name} color={color} isPrivate={isPrivate} />
          <Submit>{m.save(l)}</Submit>
        </PageForm>
        <PageForm answer={answer} intent={`delete:${id}`} className="stack status-delete">
          <Checkbox name="sure" label={m.deleteTagSure(l, { count: posts })} isRequired />
          <Submit kind="danger">{m.deleteTag(l)}</Submit>
        </PageForm>
      </details>
    </li>
  );
}

function TagFields({ name, color, isPrivate = false }: { name?: string; color: string; isPrivate?: boolean }) {
  const l = useLocale();
  return (
    <>
      <TextField name="name" label={m.tagName(l)} defaultValue={name} maxLength={MAX_NAME} required />
      <TextField name="color" type="color" label={m.tagColor(l)} defaultValue={color} />
      <Checkbox name="private" label={m.tagPrivate(l)} defaultChecked={isPrivate} />
    </>
  );
}
