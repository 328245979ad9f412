import { useEffect, useRef } from 'react';
import { Form, Link, useSubmit } from 'react-router';
import { formatCount } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { GroupError, PageForm, Submit } from '../../parts/forms/form.tsx';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { Onward } from '../../parts/show/onward.tsx';
import type { MergeTargets } from '../merge-targets.ts';
import type { PostPage } from '../page.ts';
import { AudienceChoice } from './notifying.tsx';

/** The pause in typing before a search. */
const PAUSE_MS = 300;

type MergeFormProps = { post: PostPage; merge: MergeTargets; answer: FormAnswer | undefined };

/** Merges a post into another one, which a search finds; it tells how many votes both have together. */
export function MergeForm({ post, merge, answer }: MergeFormProps) {
  const l = useLocale();
  return (
    <div className="sheet merge">
      <h2>{m.mergeInto(l)}</h2>
      <SearchTargets words={merge.words} />
      {merge.choices.length === 0 ? (
        <p className="muted">{merge.words === '' ? m.mergeNoSimilar(l) : m.mergeNothingFound(l)}</p>
      ) : (
        <PageForm answer={answer} intent="merge" action={`?merge=${encodeURIComponent(merge.words)}`}>
          <fieldset className="brief">
            <legend>{merge.words === '' ? m.mergeSimilar(l) : m.mergeFound(l)}</legend>
            {merge.choices.map(({ number, title, votes, together }) => (
              <label key={number} className="choice">
                <input type="radio" name="target" value={number} required />
                <span>
                  <bdi>{title}</bdi>
                  <small>{m.mergeTogether(l, { votes: formatCount(l, votes), count: together })}</small>
                </span>
              </label>
            ))}
          </fieldset>
          <GroupError name="target" />
          {post.audiences && <AudienceChoice {...post.audiences.merge} />}
          <p className="muted small">{m.mergeHelp(l)}</p>
          <Onward />
          <div className="row">
            <Submit>{m.merge(l)}</Submit>
            <Link to="?" preventScrollReset>
              {m.cancel(l)}
            </Link>
          </div>
        </PageForm>
      )}
    </div>
  );
}

/** The search for posts; it begins while the words are typed. */
function SearchTargets({ words }: { words: string }) {
  const l = useLocale();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const searchSoon = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => submit(form.current, { preventScrollReset: true, replace: true }), PAUSE_MS);
  };
  return (
    <Form ref={form} className="search-form" preventScrollReset role="search">
      <Icon name="search" />
      <input
        type="search"
        name="merge"
        className="search-box"
        aria-label={m.searchIdeas(l)}
        placeholder={m.mergeSearch(l)}
        defaultValue={words}
        maxLength={200}
        onChange={searchSoon}
        // biome-ignore lint/a11y/noAutofocus: it has just been opened to type in.
        autoFocus
      />
    </Form>
  );
}
