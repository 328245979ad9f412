import { Link } from 'react-router';
import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';

import type { FormAnswer } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import type { PostPage } from './page.ts';

/** What is special about the post, and what became of a form. */
export function PostNotes({ post, answer }: { post: PostPage; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <>
      {post.notice && <StopMails notice={post.notice} answer={answer} />}
      {answer?.message && !answer.values.intent?.match(/^(comment|note|reply|link-issue|make-issue)/) && (
        <p className="note" data-kind="error" role="alert">
          {answer.message}
        </p>
      )}
      {post.isHeld && (
        <p className="note">
          {post.isRejected ? m.rejectedNote(l) : m.pendingNote(l)} {post.doubt}
        </p>
      )}
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

/** After a change that notifies users: for a minute, this can still be stopped. */
function StopMails({ notice, answer }: { notice: { id: string; title: string }; answer: FormAnswer | undefined }) {
  const l = useLocale();
  return (
    <PageForm answer={answer} intent="stop-mails" action="?" className="note row">
      <input type="hidden" name="notice" value={notice.id} />
      <span>{m.mailsHeld(l, { title: notice.title })}</span>
      <Submit kind="plain">{m.stopMails(l)}</Submit>
    </PageForm>
  );
}

type ShippedProps = { entries: readonly { number: number; title: string; path: string; date: number }[] };

/** Entries of the changelog that complete the idea. */
function Shipped({ entries }: ShippedProps) {
  const board = useBoard();
  const l = useLocale();
  if (entries.length === 0) return null;
  return (
    <ul className="note">
      {entries.map(({ number, title, path, date }) => (
        <li key={number}>
          {m.shippedIn(l, { date: formatDay(l, date) })}{' '}
          <Link to={`/b/${board?.pid}/${path}`} dir="auto">
            {title}
          </Link>
        </li>
      ))}
    </ul>
  );
}
