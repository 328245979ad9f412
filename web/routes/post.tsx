import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router';
import type { BoardCall } from '../../src/call.ts';
import type { Visit } from '../../src/web/visit.ts';
import { formatDay } from '../i18n/format.ts';
import * as m from '../i18n/messages.ts';
import { orErrorPage } from '../lib/failure.ts';
import { readFiles } from '../lib/files.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import { visitContext } from '../lib/visit.ts';
import { FileList } from '../ui/file-list.tsx';
import { StatusName } from '../ui/status.tsx';

const COMMENTS = 100;
/** What of a discussion everybody may read. */
const PUBLIC_TYPES = ['BASIC', 'OFFICIAL', 'STATUS_CHANGE'] as const;

export async function loader({ context, params }: LoaderFunctionArgs) {
  const visit = context.get(visitContext);
  const { features, db } = visit;
  const call = await orErrorPage(visit.openBoard(params.pid));
  const post = await features.findPostByNumber(db.read, call.board.id, Number(params.number), null);
  const statuses = await features.listStatuses(db.read, call.board.id);
  const status = statuses.find(({ id }) => id === post?.status_id);
  if (!post || !status) throw new Response(null, { status: 404 });
  const description = await features.findDescription(db.read, post);
  const comments = await readComments(visit, call, post.id);
  const userIds = [post.author_id, ...comments.map((comment) => comment.user_id)].filter((id) => id !== null);
  const users = await features.findUsers(db.read, call.board.id, [...new Set(userIds)], ['name']);
  const filesOf = await readFiles(
    visit,
    call.board.id,
    post.id,
    comments.map(({ id }) => id),
  );
  const nameOf = (id: string | null) => users.find((user) => user.id === id)?.name ?? null;
  return {
    title: post.title,
    votes: post.upvotes,
    date: post.date_created,
    author: nameOf(post.author_id),
    status: { name: status.name, color: status.color },
    html: description ? await features.renderMarkdown(description.text) : null,
    files: filesOf(post.id),
    comments: await Promise.all(
      comments.map(async ({ id, type, text, user_id, date_created }) => ({
        id,
        isOfficial: type !== 'BASIC',
        html: await features.renderMarkdown(text),
        files: filesOf(id),
        author: nameOf(user_id),
        date: date_created,
      })),
    ),
  };
}

async function readComments({ features, db }: Visit, { board }: BoardCall, postId: string) {
  const { nodes } = await features.listComments(db.read, board.id, postId, {
    viewer: null,
    order: 'OLDEST',
    types: PUBLIC_TYPES,
    cursor: null,
    limit: COMMENTS,
    columns: null,
  });
  return nodes.filter((comment) => comment.is_first === 0);
}

export default function Post() {
  const post = useLoaderData<typeof loader>();
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  return (
    <main id="main" className="page">
      <title>{`${post.title} · ${board.name}`}</title>
      <p>
        <Link to={`/b/${board.pid}`}>{m.backToIdeas(l)}</Link>
      </p>
      <article className="post">
        <p className="votes">
          <strong>{post.votes.toLocaleString(l)}</strong>
          <span className="visually-hidden">{m.votes(l, { count: post.votes })}</span>
        </p>
        <div className="stack">
          <h1 dir="auto">{post.title}</h1>
          <p className="muted small row">
            <StatusName {...post.status} />
            <Byline author={post.author} date={post.date} />
          </p>
          {post.html && <Prose html={post.html} />}
          <FileList files={post.files} />
        </div>
      </article>
      <section className="stack" aria-labelledby="comments">
        <h2 id="comments">{m.comments(l, { count: post.comments.length })}</h2>
        {post.comments.map((comment) => (
          <article key={comment.id} className="comment" data-official={comment.isOfficial || undefined}>
            <p className="muted small row">
              <Byline author={comment.author} date={comment.date} />
              {comment.isOfficial && <span>{m.official(l)}</span>}
            </p>
            <Prose html={comment.html} />
            <FileList files={comment.files} />
          </article>
        ))}
      </section>
    </main>
  );
}

function Byline({ author, date }: { author: string | null; date: number }) {
  const l = useLocale();
  return (
    <>
      <span dir="auto">{author ?? m.somebody(l)}</span>
      <time dateTime={new Date(date).toISOString()}>{formatDay(l, date)}</time>
    </>
  );
}

/** HTML that the server has made of Markdown, with everything dangerous left out. */
function Prose({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see src/lib/markdown.ts
  return <div className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
