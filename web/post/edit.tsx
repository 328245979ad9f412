import { Link } from 'react-router';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit, TextField } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { MarkdownArea, PreviewButton } from '../parts/texts/markdown-area.tsx';
import type { PostPage } from './page.ts';

/** The form to change the title and the text of a post. */
export function EditPost({ post, source, answer }: { post: PostPage; source: string; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="edit" action="?edit=post">
      <input type="hidden" name="form" value="edit" />
      <h1 className="visually-hidden">{m.editIdea(l)}</h1>
      <TextField
        name="title"
        label={m.ideaTitle(l)}
        defaultValue={post.title}
        maxLength={post.lengths.title}
        required
      />
      <MarkdownArea name="comment" label={m.ideaText(l)} defaultValue={source} rows={8} hasPreview />
      <div className="row">
        <Submit>{m.save(l)}</Submit>
        <PreviewButton />
        <Link to="?">{m.cancel(l)}</Link>
      </div>
    </PageForm>
  );
}
