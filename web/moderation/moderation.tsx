import { Link, useLoaderData } from 'react-router';
import { listUnapproved } from '#src/feedback/comments/moderation.ts';
import { choosePosts } from '#src/feedback/finding/choosing.ts';
import { findPostsBy } from '#src/feedback/finding/finding.ts';
import { findPosts } from '#src/feedback/posts/posts.ts';
import type { ModerationStatus } from '#src/feedback/visibility/posts.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { findUsers } from '#src/identity/users/users.ts';
import { beginningOf } from '#src/platform/texts/beginning.ts';
import * as m from '../i18n/messages.ts';
import { PageForm, Submit } from '../parts/forms/form.tsx';
import { useBoard, useLocale } from '../parts/requests/locale.ts';
import { memberLoader } from '../parts/requests/member.ts';
import { peopleOf } from '../parts/requests/people.ts';
import { Byline } from '../parts/show/byline.tsx';
import { Icon } from '../parts/show/icon.tsx';
import { doubtsOf, postPath } from '../posts/posts.ts';
import { ModerationTabs } from './tabs.tsx';

const LIMIT = 50;
/** Characters of a comment that are shown here. */
const EXCERPT = 1_000;

export const loader = memberLoader('post.moderate', async (view) => {
  const { visit, context } = view;
  const { db } = visit;
  const moderationStatus = ['PENDING', 'FLAGGED', 'REJECTED'] as const;
  const choice = await choosePosts(context, [], { moderationStatus });
  const search = { choice, words: null, order: 'NEWEST' as const, cursor: null, limit: LIMIT };
  const posts = (await findPostsBy(context, search, null)).page.nodes;
  const comments = await listUnapproved(context);
  const others = await findPosts(
    db.read,
    context.board.id,
    comments.map(({ post_id }) => post_id),
    context.actor,
  );
  const personOf = await peopleOf(view, [...posts.map((p) => p.author_id), ...comments.map((c) => c.user_id)]);
  const writers = await findWriters(context, [...posts.map((p) => p.author_id), ...comments.map((c) => c.user_id)]);
  const doubtOfPost = await doubtsOf(view, posts, (row) => row.author_id);
  const doubtOfComment = await doubtsOf(view, comments, (row) => row.user_id);
  return {
    entries: [
      ...posts.map((post) => ({
        ...{
          id: post.id,
          title: post.title,
          text: post.excerpt,
          path: postPath(post),
          commentId: null,
          isCut: false,
        },
        writer: writers.get(post.author_id ?? '') ?? null,
        author: personOf(post.author_id),
        date: post.date_created,
        state: post.moderation_status,
        doubt: doubtOfPost(post),
      })),
      ...comments.flatMap((comment) => {
        const post = others.find(({ id }) => id === comment.post_id);
        if (!post) return [];
        return {
          id: comment.id,
          title: post.title,
          path: postPath(post),
          text: beginningOf(comment.text, EXCERPT),
          isCut: comment.text.length > EXCERPT,
          writer: writers.get(comment.user_id ?? '') ?? null,
          commentId: comment.id,
          author: personOf(comment.user_id),
          date: comment.date_created,
          state: comment.moderation_status,
          doubt: doubtOfComment(comment),
        };
      }),
    ],
  };
});

/** The current standing of users who may be trusted or blocked. */
async function findWriters({ db, board }: ActorContext, ids: readonly (string | null)[]) {
  const known = [...new Set(ids.filter((id) => id !== null))];
  const users = known.length === 0 ? [] : await findUsers(db.read, board.id, known, ['standing', 'role']);
  const writers = users.filter(({ role }) => role === 'MEMBER');
  return new Map(writers.map(({ id, standing }) => [id, { id, standing }]));
}

type Entry = Awaited<ReturnType<typeof loader>>['entries'][number];

/** Ideas and comments for the team to review. */
export default function Moderation() {
  const { entries } = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  return (
    <main id="main" className="page">
      <title>{`${m.moderation(l)} · ${board?.name ?? ''}`}</title>
      <div className="intro">
        <h1>{m.moderation(l)}</h1>
        <p className="muted measure">{m.moderationHelp(l)}</p>
      </div>
      <ModerationTabs />
      {entries.length === 0 ? (
        <div className="empty">
          <Icon name="check" />
          <strong>{m.nothingToModerate(l)}</strong>
        </div>
      ) : (
        <ol className="posts">
          {entries.map((entry) => (
            <EntryItem key={entry.id} entry={entry} />
          ))}
        </ol>
      )}
    </main>
  );
}

function EntryItem({ entry }: { entry: Entry }) {
  const board = useBoard();
  const l = useLocale();
  const home = `/b/${board?.pid}`;
  const path = `${home}/${entry.path}`;
  const intent = entry.commentId ? `moderate-comment:${entry.commentId}` : 'moderate';
  const states: Partial<Record<ModerationStatus, string>> = {
    PENDING: m.waitsForApproval(l),
    FLAGGED: m.flagged(l),
    REJECTED: m.rejected(l),
  };
  return (
    <li className="entry stack">
      <h2 dir="auto">
        <Link to={entry.commentId ? `${path}#comment-${entry.commentId}` : path}>
          {entry.commentId ? m.commentOn(l, { title: entry.title }) : entry.title}
        </Link>
      </h2>
      {entry.text && (
        <p className="kept" dir="auto">
          {entry.text}
        </p>
      )}
      {entry.isCut && (
        <p className="small">
          <Link to={`${path}?show=${entry.id}#comment-${entry.id}`}>{m.readWhole(l)}</Link>
        </p>
      )}
      <p className="meta">
        <span className="held">{states[entry.state]}</span>
        <Byline author={entry.author} date={entry.date} />
      </p>
      {entry.doubt && <p className="small muted">{entry.doubt}</p>}
      <PageForm answer={undefined} intent={intent} action={path} className="row">
        <input type="hidden" name="next" value={`${home}/moderation?done=saved`} />
        <input type="hidden" name="id" value={entry.id} />
        <Submit kind="plain" name="moderationStatus" value="APPROVED">
          {m.approve(l)}
        </Submit>
        {entry.state !== 'REJECTED' && (
          <Submit kind="plain" name="moderationStatus" value="REJECTED">
            {m.reject(l)}
          </Submit>
        )}
      </PageForm>
      {entry.writer && (
        <PageForm answer={undefined} intent="standing" action={path} className="row">
          <input type="hidden" name="next" value={`${home}/moderation?done=saved`} />
          <input type="hidden" name="author" value={entry.writer.id} />
          {entry.writer.standing !== 'TRUSTED' && (
            <Submit kind="plain" name="standing" value="TRUSTED">
              {m.trustAuthor(l)}
            </Submit>
          )}
          {entry.writer.standing !== 'BLOCKED' && (
            <Submit kind="plain" name="standing" value="BLOCKED">
              {m.blockAuthor(l)}
            </Submit>
          )}
        </PageForm>
      )}
    </li>
  );
}
