import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import { createVotedPost } from '#src/feedback/drafts/posting.ts';
import { choosePosts } from '#src/feedback/finding/choosing.ts';
import { findPostsBy } from '#src/feedback/finding/finding.ts';
import { restorePost } from '#src/feedback/lifecycle/editing.ts';
import { POST_TEXT, POST_TITLE } from '#src/feedback/posts/posts.ts';
import { parseSearch } from '#src/feedback/search/search.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { isHeld } from '#src/feedback/visibility/posts.ts';
import { isBlocked } from '#src/identity/users/authority.ts';
import { deriveId, isId, makeId } from '#src/platform/lib/ids.ts';
import * as m from '../i18n/messages.ts';
import { orErrorPage } from '../lib/failure.ts';
import { describeFilters, type FiltersView } from '../lib/filters.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../lib/forms.ts';
import { countChange, findParticipant, openView, takePart, type View } from '../lib/joining.ts';
import { type Asked, orderOf, orders, parseAsked, printAsked } from '../lib/list-query.ts';
import { useBoard, useLocale } from '../lib/locale.ts';
import { postPath, viewPosts } from '../lib/posts.ts';
import { Chips, Filters } from '../ui/filters.tsx';
import { PageForm, Submit } from '../ui/form.tsx';
import { MayWrite } from '../ui/may-write.tsx';
import { NewIdea } from '../ui/new-idea.tsx';
import { PostRow } from '../ui/post-row.tsx';

const PAGE = 20;

export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { visit, context } = view;
  const { db } = visit;
  const statuses = await listStatuses(db.read, context.board.id);
  const filters = await describeFilters(view, statuses);
  const asked = withKnownNames(parseAsked(args.url.searchParams), filters);
  if (asked.words !== '') await orErrorPage(Promise.try(visit.countSearch));
  const { page, count } = await findPage(view, asked, filters, args.url.searchParams.get('after'));
  return {
    asked,
    filters,
    count,
    formId: makeId(),
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    next: page.cursor,
    isFirst: !args.url.searchParams.has('after'),
    isSignedIn: await visit.people.areSignedIn(context.board),
    isBlocked: isBlocked(context.actor),
    deleted: args.url.searchParams.get('deleted'),
    posts: await viewPosts(view, page.nodes, statuses),
  };
}

/** Statuses and tags that no longer exist, or that the viewer may not see, are ignored. */
function withKnownNames(asked: Asked, { statuses, tags }: FiltersView): Asked {
  const known = (names: string[], all: { slug: string }[]) =>
    names.filter((name) => all.some(({ slug }) => slug === name));
  return { ...asked, statuses: known(asked.statuses, statuses), tags: known(asked.tags, tags) };
}

/** The requested posts. A truncated cursor, or one from another order, leads to the first page. */
async function findPage({ context }: View, asked: Asked, filters: FiltersView, after: string | null) {
  const idsOf = (names: string[], all: { slug: string; id: string }[]) =>
    all.filter(({ slug }) => names.includes(slug)).map(({ id }) => id);
  const sort = orderOf(asked);
  if (sort === 'mine' && !context.actor) return { page: { nodes: [], cursor: null }, count: 0 };
  const choice = await choosePosts(context, [], {
    statusIds: asked.statuses.length > 0 ? idsOf(asked.statuses, filters.statuses) : openStatuses(filters),
    tagIds: idsOf(asked.tags, filters.tags),
    author: sort === 'mine' && context.actor ? { id: context.actor.id } : null,
  });
  const words = parseSearch(asked.words);
  const list = async (cursor: string | null) => {
    const found = await findPostsBy(context, { choice, words, order: orders[sort], cursor, limit: PAGE }, null);
    return { page: found.page, count: await found.count() };
  };
  return list(after).catch((error) => {
    if (after === null) throw error;
    return list(null);
  });
}

/** Merged posts are represented by the ones that they were merged into, and are shown only on request. */
function openStatuses({ statuses }: FiltersView): string[] | null {
  const merged = statuses.find(({ isMerged }) => isMerged);
  return merged && merged.count > 0 ? statuses.filter(({ isMerged }) => !isMerged).map(({ id }) => id) : null;
}

export async function action(args: ActionFunctionArgs) {
  await openView(args);
  const form = await readForm(args.request.clone());
  return orFormAnswer(form, async () => {
    if (form.intent === 'restore') throw redirect(await restore(args, form.id ?? ''));
    const { title = '', comment = '', formId = '' } = form;
    const text = comment.trim() === '' ? null : comment;
    const id = isId(formId) ? deriveId(formId, title, comment) : makeId();
    const { context } = await takePart(args, { kind: 'post', id, title, text });
    const post = await createVotedPost(context, { id, title, comment: text });
    const done = isHeld(post.moderation_status) ? 'held' : 'posted';
    throw redirect(`/b/${context.board.pid}/${postPath(post)}?done=${done}`);
  });
}

/** Restores an idea that was just deleted, and returns its URL. */
async function restore(args: ActionFunctionArgs, id: string): Promise<string> {
  const participant = await findParticipant(args);
  if (!participant) throw new Response(null, { status: 403 });
  const { context } = participant;
  await countChange(participant);
  const post = await orErrorPage(restorePost(context, id));
  return `/b/${context.board.pid}/${postPath(post)}?done=saved`;
}

/** A vote is shown by its own button; the list does not change its order under the pointer. */
export function shouldRevalidate({ formAction, actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (!formAction?.includes('/votes/')) return defaultShouldRevalidate;
  // A vote that was refused: something has changed.
  return (actionStatus ?? 200) >= 400;
}

export default function Posts() {
  const { asked, filters, count, formId, lengths, next, isFirst, isSignedIn, isBlocked, deleted, posts } =
    useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  if (!board) return null;
  // A search without results may become an idea; otherwise the text being written stays.
  const wanted = posts.length === 0 ? asked.words : '';
  return (
    <main id="main" className="page board">
      <title>{board.name}</title>
      {board.description && <meta name="description" content={board.description} />}
      <div className="intro">
        <h1>{m.ideasOf(l, { board: board.name })}</h1>
        {board.description && (
          <p className="measure" dir="auto">
            {board.description}
          </p>
        )}
      </div>
      {deleted && (
        <PageForm answer={undefined} intent="restore" action="?index" className="note row">
          <span role="status">{m.ideaDeleted(l)}</span>
          <input type="hidden" name="id" value={deleted} />
          <Submit kind="plain">{m.restore(l)}</Submit>
        </PageForm>
      )}
      <MayWrite isBlocked={isBlocked} isSignedIn={isSignedIn} signIn={m.signInFirstToPost(l)}>
        <NewIdea key={wanted} formId={formId} lengths={lengths} answer={answer} words={wanted} />
      </MayWrite>
      <div className="list-head">
        <Sorts asked={asked} isSignedIn={isSignedIn} />
        <p className="muted small" role="status">
          {m.ideaCount(l, { count })}
        </p>
      </div>
      <Filters asked={asked} filters={filters} />
      <div className="list">
        <Chips asked={asked} filters={filters} />
        {posts.length === 0 ? (
          <p className="empty">{emptyWords(l, asked)}</p>
        ) : (
          <ol className="posts">
            {posts.map((post) => (
              <PostRow key={post.id} post={post} />
            ))}
          </ol>
        )}
        {(next || !isFirst) && (
          <nav className="row" aria-label={m.pages(l)}>
            {!isFirst && (
              <Link className="button" to={printAsked(asked)}>
                {m.firstPage(l)}
              </Link>
            )}
            {next && (
              <Link className="button" to={printAsked(asked, next)}>
                {m.nextPage(l)}
              </Link>
            )}
          </nav>
        )}
      </div>
    </main>
  );
}

function emptyWords(l: ReturnType<typeof useLocale>, asked: Asked): string {
  if (asked.words) return m.noIdeasFor(l, { words: asked.words });
  if (asked.sort === 'mine') return m.noIdeasOfYours(l);
  return asked.statuses.length + asked.tags.length > 0 ? m.noIdeasLikeThat(l) : m.noIdeas(l);
}

/** The orders of the list; "Mine" only for signed-in users. */
function Sorts({ asked, isSignedIn }: { asked: Asked; isSignedIn: boolean }) {
  const l = useLocale();
  const current = orderOf(asked);
  const names = {
    ...(asked.words && { best: m.sortBest(l) }),
    top: m.sortTop(l),
    new: m.sortNew(l),
    trending: m.sortTrending(l),
    ...(isSignedIn && { mine: m.sortMine(l) }),
  };
  return (
    <nav className="tabs" aria-label={m.sortBy(l)}>
      {(Object.entries(names) as [keyof typeof orders, string][]).map(([sort, words]) => (
        <Link key={sort} to={printAsked({ ...asked, sort })} aria-current={sort === current ? 'page' : undefined}>
          {words}
        </Link>
      ))}
    </nav>
  );
}
