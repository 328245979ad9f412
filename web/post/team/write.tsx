import { CommentForm } from '../../comments/form.tsx';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Onward } from '../../parts/show/onward.tsx';
import type { ShownPost } from '../page.ts';
import { AudienceChoice, MailView, PreviewLanguage } from './notifying.tsx';

const TABS = { reply: 'write-reply', note: 'write-note' } as const;

/**
 * What the team writes: a public reply or an internal note. Each has a form of its own, so that no slip of a control
 * publishes a note. Without scripts the tabs work as well: they are radio buttons.
 */
export function TeamWrite(shown: ShownPost) {
  const l = useLocale();
  const isNote = shown.answer?.values.intent === 'note' || shown.answer?.values.form === 'note';
  return (
    <div className="write-tabs">
      <fieldset className="segments">
        <legend className="visually-hidden">{m.writeComment(l)}</legend>
        <Tab id={TABS.reply} words={m.publicReply(l)} isOpen={!isNote} />
        <Tab id={TABS.note} words={m.typeInternal(l)} isOpen={isNote} />
      </fieldset>
      <div data-tab={TABS.reply}>
        <CommentForm {...shown} intent="comment" label={m.yourComment(l)} send={m.sendComment(l)} shortcut="r">
          <Official {...shown} />
          <Onward />
        </CommentForm>
      </div>
      <div data-tab={TABS.note} className="note-form">
        <CommentForm {...shown} intent="note" label={m.yourNote(l)} send={m.sendNote(l)} shortcut="c">
          <input type="hidden" name="type" value="INTERNAL" />
          <p className="muted small">{m.onlyTeam(l)}</p>
        </CommentForm>
      </div>
    </div>
  );
}

function Tab({ id, words, isOpen }: { id: string; words: string; isOpen: boolean }) {
  return (
    <label>
      <input type="radio" name="write" id={id} defaultChecked={isOpen} className="visually-hidden" />
      {words}
    </label>
  );
}

/** Whether a reply is the official answer, and whom that notifies. */
function Official({ post, answer, preview }: ShownPost) {
  const l = useLocale();
  const isBack = answer?.values.form === 'comment' || answer?.values.intent === 'comment';
  return (
    <>
      <label className="choice">
        <input
          type="checkbox"
          name="type"
          value="OFFICIAL"
          defaultChecked={isBack && answer?.values.type === 'OFFICIAL'}
        />
        {m.officialAnswer(l)}
      </label>
      {isBack && preview?.mail && <MailView mail={preview.mail} />}
      {post.audiences && (
        <div className="if-official stack">
          <AudienceChoice {...post.audiences.status} />
          <PreviewLanguage locale={post.mailLocale} />
        </div>
      )}
    </>
  );
}
