import { type MouseEvent, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import type { FormAnswer } from '../lib/forms.ts';
import { useLocale } from '../lib/locale.ts';
import type { PostPage } from '../lib/post-page.ts';
import type { FormPreview } from '../lib/post-preview.ts';
import { PageForm, Submit } from './form.tsx';
import { MarkdownArea } from './markdown-area.tsx';
import { Prose } from './prose.tsx';

export type CommentFormProps = {
  post: PostPage;
  /** `comment`, `note` of the team, or `reply:` with the comment that it replies to. */
  intent: string;
  answer: FormAnswer | undefined;
  /** What was written last, as it would look, and the email about it. */
  preview: FormPreview | null;
  /** The name of the field, and what the button says. */
  label: string;
  send: string;
  /** The key that leads to the field. */
  shortcut?: string;
  /** What else is asked. */
  children?: ReactNode;
  /** Closes the form, if it can be. */
  onCancel?: () => void;
};

/** The form for a comment, a note or a reply. */
export function CommentForm(props: CommentFormProps) {
  const { post, intent, answer, preview, label, send, shortcut, children, onCancel } = props;
  const l = useLocale();
  const sent = useSent();
  return (
    <PageForm answer={answer} intent={intent} action="?" key={sent} encType="multipart/form-data">
      <input type="hidden" name="form" value={intent} />
      <input type="hidden" name="formId" value={post.formId} />
      <MarkdownArea
        name="text"
        label={label}
        rows={onCancel ? 3 : 5}
        maxLength={post.lengths.text}
        aria-keyshortcuts={shortcut}
        keptAs={intent}
        takesPictures={post.isSignedIn}
        required
      />
      {answer?.values.intent === intent && preview?.html && (
        <div className="preview" role="status" aria-label={m.preview(l)}>
          <Prose html={preview.html} />
        </div>
      )}
      {children}
      <div className="row">
        <Submit>{send}</Submit>
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
