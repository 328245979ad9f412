import { type MouseEvent, useState } from 'react';
import { Link, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import type { FormPreview } from '../lib/post-preview.ts';
import type { PostPage } from '../routes/post.tsx';
import { PageForm, Select, Submit } from './form.tsx';
import { MarkdownArea } from './markdown-area.tsx';
import { AudienceChoice, MailView, PreviewLanguage } from './notifying.tsx';
import { Prose } from './prose.tsx';

export type CommentFormProps = {
  post: PostPage;
  /** `comment`, or `reply:` with the comment that it replies to. */
  intent: string;
  answer: FormAnswer | undefined;
  /** What was written last, as it would look, and the email about it. */
  preview: FormPreview | null;
  /** Closes the form, if it can be. */
  onCancel?: () => void;
};

/** The form for a comment or a reply; the team chooses its type. */
export function CommentForm({ post, intent, answer, preview, onCancel }: CommentFormProps) {
  const l = useLocale();
  const sent = useSent();
  const isOwn = answer?.values.intent === intent;
  const types = {
    BASIC: m.typeComment(l),
    ...(post.rights.official && { OFFICIAL: m.typeOfficial(l) }),
    ...(post.rights.internal && { INTERNAL: m.typeInternal(l) }),
  };
  const isReply = intent !== 'comment';
  return (
    <PageForm answer={answer} intent={intent} action="?" key={sent} encType="multipart/form-data">
      <input type="hidden" name="form" value={intent} />
      <input type="hidden" name="formId" value={post.formId} />
      <MarkdownArea
        name="text"
        label={isReply ? m.yourReply(l) : m.yourComment(l)}
        rows={isReply ? 3 : 5}
        maxLength={post.lengths.text}
        aria-keyshortcuts={isReply ? undefined : 'c'}
        keptAs={intent}
        takesPictures={post.isSignedIn}
        required
      />
      {isOwn && preview?.html && (
        <div className="preview" role="status" aria-label={m.preview(l)}>
          <Prose html={preview.html} />
        </div>
      )}
      {isOwn && preview?.mail && <MailView mail={preview.mail} />}
      {!isReply && Object.keys(types).length > 1 && (
        <Select name="type" label={m.typeOfComment(l)} defaultValue="BASIC" options={types} />
      )}
      {!isReply && post.rights.official && post.audiences && (
        <div className="if-official stack">
          <AudienceChoice {...post.audiences.status} />
          <PreviewLanguage locale={post.mailLocale} />
        </div>
      )}
      <div className="row">
        <Submit>{isReply ? m.sendReply(l) : m.sendComment(l)}</Submit>
        {post.isSignedIn && (
          <Submit kind="plain" name="intent" value="preview">
            {m.preview(l)}
          </Submit>
        )}
        {onCancel && (
          <Link to="?" preventScrollReset onClick={(event) => cancel(event, onCancel)}>
            {m.cancel(l)}
          </Link>
        )}
      </div>
    </PageForm>
  );
}

function cancel(event: MouseEvent, onCancel: () => void): void {
  event.preventDefault();
  onCancel();
}

/** Changes when a comment has been sent, and only then: forms with this as their key are then empty. */
export function useSent(): string {
  const { key, search } = useLocation();
  const [sent, setSent] = useState('');
  const isSent = /[?&]done=comment/.test(search);
  if (isSent && sent !== key) setSent(key);
  return sent;
}
