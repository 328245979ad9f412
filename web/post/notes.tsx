import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import type { FormAnswer } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import type { PostPage } from './page.ts';
import { Shipped } from './shipped.tsx';
import { StopMails } from './stop-mails.tsx';

/** What is special about the post, and what became of a form. */
export function PostNotes({ post, answer }: { post: PostPage; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <>
      {post.notice && <StopMails notice={post.notice} answer={answer} />}
      {answer?.message && !answer.values.intent?.match(/^(comment|note|reply)/) && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      {post.isHeld && <p className="note">{post.isRejected ? m.rejectedNote(l) : m.pendingNote(l)}</p>}
      {post.from && <MergedNote from={post.from} mayUndo={post.rights.merge} />}
      <Shipped entries={post.shipped} />
    </>
  );
}

/** The idea that the visitor looked for, and that was merged into this one. */
function MergedNote({ from, mayUndo }: { from: NonNullable<PostPage['from']>; mayUndo: boolean }) {
  const board = useBoard();
  const l = useLocale();
  return (
    <div className="note row">
      <span>{m.mergedFrom(l, { title: from.title })}</span>
      {mayUndo && (
        <PageForm answer={undefined} intent="unmerge" action={`/b/${board?.pid}/${from.path}`}>
          <Submit kind="plain">{m.unmerge(l)}</Submit>
        </PageForm>
      )}
    </div>
  );
}
