import './new-idea.css';
import { useEffect, useState } from 'react';
import { useFetcher, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { Submit, TextField } from '../../parts/forms/form.tsx';
import { KeptForm } from '../../parts/forms/kept-form.tsx';
import { NEW_IDEA } from '../../parts/frame/list-query.ts';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useBoard, useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { MarkdownArea, PreviewButton } from '../../parts/texts/markdown-area.tsx';
import type { IdeaField } from '../idea-fields.ts';
import { IdeaFields } from '../idea-fields.tsx';
import type { PostView } from '../posts.ts';
import { PostTitle } from '../row.tsx';
import { StatusChip } from '../status.tsx';
import { VoteButton } from '../votes/vote-button.tsx';
import type { loader as similarLoader } from './similar.ts';

/** The pause in typing before similar ideas are looked up. */
const PAUSE_MS = 300;
/** Shorter titles say too little. */
const LEAST_CHARACTERS = 4;
/** Similar ideas that phones show at first, as in the styles. */
const FIRST = 2;

type IdeaFormProps = {
  lengths: { title: number; text: number };
  /** What the description begins with. */
  template: string | null;
  fields: readonly IdeaField[];
  /** Only signed-in visitors can add pictures. */
  isSignedIn: boolean;
};

type NewIdeaProps = IdeaFormProps & {
  formId: string;
  answer: FormAnswer | undefined;
  /** A search without results. */
  words: string;
};

/** The form for an idea. Similar ideas are shown while writing: a vote for one of them is worth more. */
export function NewIdea({ formId, answer, words, ...form }: NewIdeaProps) {
  const l = useLocale();
  const [title, setTitle] = useState(answer?.values.title ?? words);
  const [isKept, setIsKept] = useState(false);
  const isOpen = title !== '' || answer !== undefined || isKept;
  useFocusByAddress();
  return (
    <section className="new-idea" aria-label={m.newIdea(l)}>
      <KeptForm
        answer={answer}
        action="?index"
        encType="multipart/form-data"
        data-open={isOpen || undefined}
        keptAs="idea"
        kind="post"
        onRestored={(fields) => {
          setIsKept(fields !== null);
          setTitle(fields?.title ?? (fields ? title : ''));
        }}
      >
        <input type="hidden" name="formId" value={formId} />
        <Title {...form} id={NEW_IDEA} words={words} onChange={setTitle} />
        <More {...form} />
      </KeptForm>
      <Similar title={title} />
    </section>
  );
}

/** The open form for an idea, to look at only. */
export function NewIdeaPreview(form: IdeaFormProps) {
  return (
    <div className="new-idea" inert>
      <div data-open>
        <Title {...form} />
        <More {...form} />
      </div>
    </div>
  );
}

type TitleProps = IdeaFormProps & { id?: string; words?: string; onChange?: (title: string) => void };

function Title({ lengths, id, words = '', onChange }: TitleProps) {
  const l = useLocale();
  return (
    <div className="new-idea-line">
      <Icon name="plus" size={20} />
      <TextField
        id={id}
        name="title"
        label={m.describeIdea(l)}
        isLabelHidden
        defaultValue={words}
        maxLength={lengths.title}
        autoComplete="off"
        placeholder={m.suggestSomething(l)}
        onChange={(event) => onChange?.(event.target.value)}
        required
      />
    </div>
  );
}

/** What is asked for besides the title. */
function More({ lengths, template, fields, isSignedIn }: IdeaFormProps) {
  const l = useLocale();
  return (
    <div className="new-idea-more">
      <MarkdownArea
        name="comment"
        label={m.ideaText(l)}
        defaultValue={template ?? ''}
        rows={5}
        maxLength={lengths.text}
        takesPictures={isSignedIn}
        hasPreview={isSignedIn}
      />
      <IdeaFields fields={fields} />
      <div className="new-idea-end">
        <Submit>{m.postIdea(l)}</Submit>
        {isSignedIn && <PreviewButton />}
      </div>
    </div>
  );
}

/** Focuses the title field for links to it, as browsers do when they load a page. */
function useFocusByAddress(): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (key !== '' && hash === `#${NEW_IDEA}`) document.getElementById(NEW_IDEA)?.focus();
  }, [hash, key]);
}

/** Ideas like the one that is being written. */
function Similar({ title }: { title: string }) {
  const { data, load } = useFetcher<typeof similarLoader>();
  const [areAllShown, showAll] = useState(false);
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
        <div className="similar-ideas">
          <p>{m.similarIdeas(l)}</p>
          <ul className="similar flat-votes" data-all={areAllShown || undefined}>
            {posts.map((post) => (
              <SimilarIdea key={post.id} post={post} />
            ))}
          </ul>
          {!areAllShown && posts.length > FIRST && (
            <button type="button" className="button similar-more" data-kind="quiet" onClick={() => showAll(true)}>
              {m.showMoreIdeas(l, { count: posts.length - FIRST })}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function SimilarIdea({ post }: { post: PostView }) {
  const l = useLocale();
  return (
    <li>
      <VoteButton post={post} />
      <PostTitle post={post} level="h2" />
      {post.isHeld ? (
        <span className="held">{m.waitsForApproval(l)}</span>
      ) : (
        post.status && <StatusChip status={post.status} isBare />
      )}
    </li>
  );
}
