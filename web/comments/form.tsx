import { type MouseEvent, type ReactNode, useState } from 'react';
import { Link, useLocation } from 'react-router';
import * as m from '../i18n/messages.ts';
import { Submit } from '../parts/forms/form.tsx';
import { KeptForm } from '../parts/forms/kept-form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useLocale } from '../parts/requests/locale.ts';
import { MarkdownArea, PreviewButton } from '../parts/texts/markdown-area.tsx';
import type { DiscussedPost } from './discussion.ts';

export type CommentFormProps = {
  post: DiscussedPost;
  /** `comment`, `note` of the team, or `reply:` with the comment that it replies to. */
  intent: string;
  answer: FormAnswer | undefined;
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
  const { post, intent, answer, label, send, shortcut, children, onCancel } = props;
  const l = useLocale();
  const sent = useSent();
  return (
    <KeptForm
      answer={answer}
      intent={intent}
      action="?"
      key={sent}
      className="stack text-card"
      encType="multipart/form-data"
      keptAs={intent}
      kind="comment"
    >
      <input type="hidden" name="form" value={intent} />
      <input type="hidden" name="formId" value={post.formId} />
      <MarkdownArea
        name="text"
        label={label}
        rows={onCancel ? 3 : 5}
        maxLength={post.lengths.text}
        aria-keyshortcuts={shortcut}
        takesPictures={post.isSignedIn}
        hasPreview={post.isSignedIn}
        required
      />
      {children}
      <div className="row">
        <Submit>{send}</Submit>
        {post.isSignedIn && <PreviewButton />}
        {onCancel && (
          <Link to="?" preventScrollReset onClick={(event) => cancel(event, onCancel)}>
            {m.cancel(l)}
          </Link>
        )}
      </div>
    </KeptForm>
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
