import {
  Link,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useActionData,
  useLoaderData,
} from 'react-router';
import { POST_TEXT, POST_TITLE } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { isBlocked } from '#src/identity/users/authority.ts';
import { makeId } from '#src/platform/lib/ids.ts';
import * as m from '../../i18n/messages.ts';
import { readCookie } from '../../lib/cookies.ts';
import { type Asked, NEW_IDEA, parseAsked, parseShown } from '../../parts/frame/list-query.ts';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { openView } from '../../parts/requests/joining.ts';
import { useBoard, useFrame, useIsStatic, useLocale } from '../../parts/requests/locale.ts';
import { isUnanswered } from '../../parts/requests/not-saved.ts';
import { Icon } from '../../parts/show/icon.tsx';
import { viewIdeaFields } from '../idea-fields.ts';
import { MayWrite } from '../may-write.tsx';
import { viewPosts } from '../posts.ts';
import { AfterDone } from './after-done.tsx';
import { ListHead } from './bar.tsx';
import { describeFilters } from './filters.ts';
import { Chips, Filters } from './filters.tsx';
import { describeList } from './head.ts';
import { viewJustDone } from './just-done.ts';
import { findPage, withKnownNames } from './list.ts';
import { markPost } from './marks.ts';
import { NewIdea } from './new-idea.tsx';
import { Pager } from './pager.tsx';
import { actOnList } from './posting.ts';
import { Rows } from './rows.tsx';
import { openTeamDesk } from './team-desk.ts';

export async function loader(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { visit, context } = view;
  const { db } = visit;
  const statuses = await listStatuses(db.read, context.board.id);
  const filters = await describeFilters(view, statuses);
  const found = withKnownNames(parseAsked(args.url.searchParams), filters);
  const { desk, more, narrowed, demand } = await openTeamDesk(view, found, filters, args.url.searchParams);
  const asked = { ...found, more };
  if (asked.words !== '') await orErrorPage(visit.countSearch());
  const after = args.url.searchParams.get('after');
  const shown = parseShown(args.url.searchParams);
  const { posts, words, next, count } = await findPage(view, asked, filters, { after, shown, narrowed, demand });
  const views = await viewPosts(view, posts, statuses);
  return {
    head: describeList(view, asked, filters, after),
    asked,
    desk,
    filters,
    count,
    formId: makeId(),
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    template: context.board.post_template,
    fields: await viewIdeaFields(view),
    after,
    shown,
    next,
    isCompact: readCookie(args.request, 'density') === 'compact',
    isSignedIn: await visit.people.areSignedIn(context.board),
    isBlocked: isBlocked(context.actor),
    justDone: await viewJustDone(view, args.request, args.url.searchParams),
    posts: views,
    marked: words && views.map((post) => markPost(post, words)),
  };
}

export const action = actOnList;

/** A vote is shown by its own button; the list does not change its order under the pointer. */
export function shouldRevalidate({ formAction, actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  if (!formAction?.includes('/votes/')) return defaultShouldRevalidate;
  // A vote that was refused: something has changed.
  return (actionStatus ?? 200) >= 400 && !isUnanswered(actionStatus);
}

export default function Posts() {
  const { template, fields, ...page } = useLoaderData<typeof loader>();
  const { asked, filters, count, formId, lengths, isCompact, isSignedIn, isBlocked, justDone, posts, marked } = page;
  const answer = formAnswerOf(useActionData<typeof action>());
  const board = useBoard();
  const l = useLocale();
  const isStatic = useIsStatic();
  if (!board) return null;
  // A search without results may become an idea; otherwise the text being written stays.
  const wanted = posts.length === 0 ? asked.words : '';
  return (
    <main id="main" className="page board">
      <div className="intro" aria-live="polite">
        {asked.words ? (
          <h1>{m.ideasFor(l, { count, words: asked.words })}</h1>
        ) : (
          <>
            <Headline />
            {board.description && (
              <p className="measure" dir="auto">
                {board.description}
              </p>
            )}
          </>
        )}
      </div>
      <AfterDone {...justDone} />
      <div className="split">
        <div>
          {!isStatic && (
            <MayWrite isBlocked={isBlocked} isSignedIn={isSignedIn} signIn={m.signInFirstToPost(l)}>
              <NewIdea
                key={wanted}
                formId={formId}
                lengths={lengths}
                answer={answer}
                words={wanted}
                template={template}
                fields={fields}
                isSignedIn={isSignedIn}
              />
            </MayWrite>
          )}
          <ListHead asked={asked} count={count} isCompact={isCompact} isSignedIn={isSignedIn} />
          <Chips asked={asked} filters={filters} />
          {posts.length === 0 ? (
            <Nothing asked={asked} />
          ) : (
            <Rows posts={posts} marked={marked} isCompact={isCompact} statuses={filters.statuses} />
          )}
          <Pager {...page} />
        </div>
        <div className="side">
          <Filters asked={asked} filters={filters} count={count} desk={page.desk} />
        </div>
      </div>
    </main>
  );
}

/** The heading, with one word highlighted. */
function Headline() {
  const [before, marked, after] = m.headline(useLocale()).split('*');
  return (
    <h1>
      {before}
      <mark>{marked}</mark>
      {after}
    </h1>
  );
}

/** The empty list: the reason, and an action. */
function Nothing({ asked }: { asked: Asked }) {
  const l = useLocale();
  const isStatic = useIsStatic();
  const frame = useFrame();
  const isFiltered = asked.statuses.length + asked.tags.length > 0;
  const [icon, words] = asked.words
    ? (['search', m.noIdeasFor(l, { words: asked.words })] as const)
    : isFiltered
      ? (['list-filter', m.noIdeasLikeThat(l)] as const)
      : (['lightbulb', asked.sort === 'mine' ? m.noIdeasOfYours(l) : m.noIdeas(l)] as const);
  return (
    <div className="empty">
      <Icon name={icon} />
      <strong>{words}</strong>
      {isFiltered ? (
        <Link className="button" to="?">
          {m.clearAll(l)}
        </Link>
      ) : (
        !isStatic &&
        !asked.words && (
          <a className="button" href={`#${NEW_IDEA}`}>
            <Icon name="plus" />
            {m.postIdea(l)}
          </a>
        )
      )}
      {frame?.visitor?.isManager && icon === 'lightbulb' && asked.sort !== 'mine' && (
        <p>
          {m.importInvite(l)} <Link to="settings/import">{m.importInviteLink(l)}</Link>
        </p>
      )}
    </div>
  );
}
