import { type FormEvent, useRef } from 'react';
import { Form, useLocation } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { awaitAnswer } from '../../lib/load-part.ts';
import { useBoard, useLocale } from '../requests/locale.ts';

/**
 * A button that undoes an operation of the team, and returns to the page, or that brings a comment back. Without scripts, it is a form as any other. A
 * page of settings is loaded again: what was typed would stay in its fields, and be saved with the next change. It is
 * not left before the server answers.
 */
export function Undo({ operation, comment }: { operation: string | null; comment: string | null }) {
  const { pathname } = useLocation();
  const pid = useBoard()?.pid;
  const l = useLocale();
  const isOfSettings = pathname.startsWith(`/b/${pid}/settings/`);
  const isAnswered = useRef(false);
  function wait(event: FormEvent<HTMLFormElement>) {
    if (isAnswered.current) return;
    event.preventDefault();
    const { currentTarget: form, nativeEvent } = event;
    awaitAnswer(undefined, { cache: 'no-store' }).then(() => {
      isAnswered.current = true;
      form.requestSubmit((nativeEvent as SubmitEvent).submitter);
    });
  }
  return (
    <Form
      method="post"
      action={comment ? pathname : `/b/${pid}/undo`}
      reloadDocument={isOfSettings}
      {...(isOfSettings && { onSubmit: wait })}
    >
      <input type="hidden" name={comment ? 'intent' : 'next'} value={comment ? 'restore-comment' : pathname} />
      <button type="submit" name={comment ? 'id' : 'operation'} value={comment ?? operation ?? ''}>
        {m.undo(l)}
      </button>
    </Form>
  );
}
