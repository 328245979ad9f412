import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { restoreComment } from '#src/feedback/comments/writing.ts';
import { restorePost } from '#src/feedback/lifecycle/deleting.ts';
import { findPosts } from '#src/feedback/posts/posts.ts';
import { listDeletedComments, listDeletedPosts } from '#src/feedback/undo/deleted.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { beginningOf } from '#src/platform/texts/beginning.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { orErrorPage } from '../parts/requests/failure.ts';
import { type FormAnswer, formAnswerOf } from '../parts/requests/forms.ts';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../parts/requests/member.ts';
import { type AuthorView, peopleOf } from '../parts/requests/people.ts';
import { reportDone } from '../parts/requests/toasts.ts';
import { Byline } from '../parts/show/byline.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { Older } from '../parts/show/older.tsx';
import { ModerationTabs } from './tabs.tsx';

const PAGE = 20;
/** Characters of a text that are shown here. */
const EXCERPT = 300;

type Row = { id: string; title: string; text: string | null; by: string | null; date: number };

export const loader = memberLoader('comment.restore', async (view, args) => {
  const showsComments = args.url.searchParams.get('show') === 'comments';
  const part = { cursor: args.url.searchParams.get('after'), limit: PAGE };
  const { rows, next } = await orErrorPage((showsComments ? readComments : readPosts)(view.context, part));
  const personOf = await peopleOf(
    view,
    rows.map(({ by }) => by),
  );
  return { showsComments, next, rows: rows.map((row) => ({ ...row, by: personOf(row.by) })) };
});

type Part = Parameters<typeof listDeletedPosts>[1];
type Shown = { rows: Row[]; next: string | null };

async function readPosts(context: ActorContext, part: Part): Promise<Shown> {
  const page = await listDeletedPosts(context, part);
  const rows = page.nodes.map(({ id, title, excerpt, deleted_by: by, date_deleted: date }) => {
    return { id, title, text: excerpt, by, date: date ?? 0 };
  });
  return { rows, next: page.cursor };
}

async function readComments(context: ActorContext, part: Part): Promise<Shown> {
  const page = await listDeletedComments(context, part);
  const postIds = [...new Set(page.nodes.map(({ post_id }) => post_id))];
  const posts = await findPosts(context.db.read, context.board.id, postIds, context.actor);
  const titles = new Map(posts.map(({ id, title }) => [id, title]));
  const rows = page.nodes.map(({ id, post_id, text, user_id: by, date_deleted: date }) => {
    return { id, title: titles.get(post_id) ?? '', text: beginningOf(text, EXCERPT), by, date: date ?? 0 };
  });
  return { rows, next: page.cursor };
}

export const action = memberAction('comment.restore', async ({ visit, context, form }) => {
  const isComment = form.intent?.startsWith('comment:');
  await (isComment ? restoreComment : restorePost)(context, form.id ?? '');
  throw redirect(reportDone(visit, `/b/${context.board.pid}/deleted?${isComment ? 'show=comments&' : ''}done=saved`));
});

/** Deleted ideas and comments, which moderators can restore for 30 days. */
export default function Deleted() {
  const { showsComments, rows, next } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  const here = `/b/${board?.pid}/deleted`;
  return (
    <main id="main" className="page">
      <title>{`${m.deletedThings(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.deletedThings(l)}</h1>
        <p className="muted measure">{m.deletedHelp(l)}</p>
      </div>
      <ModerationTabs />
      <nav className="tabs" aria-label={m.deletedThings(l)}>
        <Link to={here} aria-current={showsComments ? undefined : 'page'}>
          {m.ideas(l)}
        </Link>
        <Link to={`${here}?show=comments`} aria-current={showsComments ? 'page' : undefined}>
          {m.commentsName(l)}
        </Link>
      </nav>
      {rows.length === 0 && (
        <div className="empty">
          <Icon name="check" />
          <strong>{m.deletedNone(l)}</strong>
        </div>
      )}
      <ol className="posts">
        {rows.map((row) => (
          <DeletedItem key={row.id} row={row} isComment={showsComments} answer={answer} />
        ))}
      </ol>
      <Older to={next && `?${showsComments ? 'show=comments&' : ''}after=${next}`} />
    </main>
  );
}

type ItemProps = {
  row: Omit<Row, 'by'> & { by: AuthorView | null };
  isComment: boolean;
  answer: FormAnswer | undefined;
};

function DeletedItem({ row, isComment, answer }: ItemProps) {
  const l = useLocale();
  return (
    <li className="entry stack">
      <h2 dir="auto">{isComment ? m.commentOn(l, { title: row.title }) : row.title}</h2>
      {row.text && (
        <p className="kept" dir="auto">
          {row.text}
        </p>
      )}
      <p className="meta">
        <Byline author={row.by} date={row.date} />
      </p>
      <PageForm answer={answer} intent={`${isComment ? 'comment' : 'idea'}:${row.id}`} className="row">
        <input type="hidden" name="id" value={row.id} />
        <Submit kind="plain">{m.restore(l)}</Submit>
      </PageForm>
    </li>
  );
}
