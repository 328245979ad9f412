import { useEffect, useState } from 'react';
import { useFetcher } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import type { loader as similarLoader } from '../routes/similar.ts';
import { PageForm, Submit, TextArea, TextField } from './form.tsx';
import { PostRow } from './post-row.tsx';

/** The pause in typing before similar ideas are looked up. */
const PAUSE_MS = 300;
/** Shorter titles say too little. */
const LEAST_CHARACTERS = 4;

type NewIdeaProps = {
  formId: string;
  lengths: { title: number; text: number };
  answer: FormAnswer | undefined;
  /** A search without results. */
  words: string;
};

/** The form for an idea. Similar ideas are shown while writing: a vote for one of them is worth more. */
export function NewIdea({ formId, lengths, answer, words }: NewIdeaProps) {
  const l = useLocale();
  const [title, setTitle] = useState(answer?.values.title ?? words);
  const isOpen = title !== '' || answer !== undefined;
  return (
    <section className="new-idea" aria-label={m.newIdea(l)}>
      <PageForm answer={answer} action="?index" data-open={isOpen || undefined} className="stack">
        <input type="hidden" name="formId" value={formId} />
        <TextField
          name="title"
          label={m.describeIdea(l)}
          defaultValue={words}
          maxLength={lengths.title}
          autoComplete="off"
          placeholder=" "
          onChange={(event) => setTitle(event.target.value)}
          required
        />
        <div className="new-idea-more">
          <TextArea name="comment" label={m.ideaText(l)} help={m.markdownHelp(l)} rows={4} maxLength={lengths.text} />
        </div>
        <Submit>{m.postIdea(l)}</Submit>
      </PageForm>
      <Similar title={title} />
    </section>
  );
}

/** Ideas like the one that is being written. */
function Similar({ title }: { title: string }) {
  const { data, load } = useFetcher<typeof similarLoader>();
  const board = useBoard();
  const l = useLocale();
  const text = title.trim();
  const path = `/b/${board?.pid}/similar`;
  useEffect(() => {
    if (text.length < LEAST_CHARACTERS) return;
    const timer = setTimeout(() => load(`${path}?title=${encodeURIComponent(text)}`), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text, path, load]);
  const posts = text.length < LEAST_CHARACTERS ? [] : (data?.posts ?? []);
  return (
    <div role="status">
      {posts.length > 0 && (
        <>
          <p className="small muted">{m.similarIdeas(l)}</p>
          <ul className="similar">
            {posts.map((post) => (
              <PostRow key={post.id} post={post} />
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
