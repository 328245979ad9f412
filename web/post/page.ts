import type { LoaderFunctionArgs } from 'react-router';
import { findDescription } from '#src/feedback/comments/comments.ts';
import type { NoticeKind } from '#src/feedback/notices/kinds.ts';
import { findHeld } from '#src/feedback/notices/stopping.ts';
import { countAudience } from '#src/feedback/notifying/audience.ts';
import { listExpectable } from '#src/feedback/posts/expected.ts';
import { findPostByNumber, findPosts, POST_TEXT, POST_TITLE, type PostRow } from '#src/feedback/posts/posts.ts';
import { listStatuses, type StatusRow } from '#src/feedback/statuses/statuses.ts';
import { findSubscriptions } from '#src/feedback/subscriptions/subscriptions.ts';
import { findTagsOfPosts } from '#src/feedback/tags/tagging.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { isBlocked } from '#src/identity/users/authority.ts';
import { mayBegin } from '#src/identity/users/entry.ts';
import { makeId } from '#src/platform/lib/ids.ts';
import { makeSlug } from '#src/platform/texts/text.ts';
import { viewShipped } from '../changelog/entries.ts';
import { viewDiscussion } from '../comments/discussion.ts';
import { orErrorPage } from '../parts/requests/failure.ts';
import type { FormAnswer, FormPreview } from '../parts/requests/forms.ts';
import { openView, type View } from '../parts/requests/joining.ts';
import { versionsOf } from '../parts/requests/versions.ts';
import { doubtsOf, viewPosts } from '../posts/posts.ts';
import { hueOfTag } from '../posts/tags.ts';
import { isTriageView } from '../posts/triage-views.ts';
import { findSource, requireOwnAddress } from './address.ts';
import { describePost } from './head.ts';
import { viewMergeTargets } from './merge-targets.ts';
import { viewPanel } from './panel.ts';
import { viewStatuses, viewSteps } from './steps.ts';
import { givenStatuses, rightsOn, viewAuthorStanding, viewTarget, viewTeamParts, viewText } from './view.ts';

/** The page of a post, and the post in triage. */
export async function loadPost(args: LoaderFunctionArgs) {
  const view = await openView(args);
  const { db } = view.visit;
  const { board, actor } = view.context;
  const post = await findPost(view, args.params.number);
  if (!isTriageView(args.params.view)) await requireOwnAddress(view, args, post);
  const statuses = await listStatuses(db.read, board.id);
  const [shown] = await viewPosts(view, [post], statuses);
  if (!shown) throw new Response(null, { status: 404 });
  const search = args.url.searchParams;
  const edit = search.get('edit');
  const order = search.get('comments') === 'newest' ? ('NEWEST' as const) : ('OLDEST' as const);
  const row = await findDescription(db.read, post);
  const description = row && (await viewText(view, row.text));
  const tags = (await findTagsOfPosts(db.read, board.id, [post.id], actor)).get(post.id) ?? [];
  const rights = rightsOn(view, post);
  const source = edit === 'post' && rights.edit ? (description?.source ?? '') : null;
  const own = actor && { boardId: board.id, userId: actor.id, postIds: [post.id] };
  const follows = own ? await findSubscriptions(db.read, own) : [];
  const isSignedIn = await view.visit.people.areSignedIn(board);
  const { changes, ...discussion } = await viewDiscussion(view, post, statuses, {
    order,
    after: search.get('after'),
    whole: search.get('show'),
    edit,
  });
  return {
    ...shown,
    head: await describePost(view, post, shown, statuses),
    from: await findSource(view, args.url, post),
    order,
    rights,
    authorStanding: await viewAuthorStanding(view, post),
    html: description?.html ?? null,
    source,
    textVersions: source === null ? {} : versionsOf({ title: post.title, comment: source }),
    /** Comments that only the team sees. */
    hiddenComments: rights.internal ? post.hidden_comment_count : 0,
    isFollowed: follows.length > 0,
    isSignedIn,
    mayWrite: !view.visit.isStatic && !isBlocked(actor) && (isSignedIn || mayBegin(board)),
    isBlocked: isBlocked(actor),
    isRejected: post.moderation_status === 'REJECTED',
    doubt: rights.status ? (await doubtsOf(view, [post], (row) => row.author_id))(post) : null,
    tags: tags.map((tag) => ({ id: tag.id, name: tag.name, slug: makeSlug(tag.name), hue: hueOfTag(tag) })),
    target: await viewTarget(view, post),
    shipped: await viewShipped(view, post),
    statusId: post.status_id,
    statusVersions: rights.status ? versionsOf({ status: post.status_id, expected: post.expected ?? '' }) : {},
    expectable: rights.status ? viewExpectable(view, post) : [],
    statuses: rights.status ? givenStatuses(statuses) : [],
    audiences: rights.status ? await viewAudiences(view, post) : null,
    mailLocale: board.locale,
    notice: rights.status ? await viewHeld(view, search.get('notice') ?? '') : null,
    allTags: rights.tags ? (await listTags(db.read, board.id, actor)).map(({ id, name }) => ({ id, name })) : [],
    formId: makeId(),
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    discussion,
    steps: viewSteps(actor, post, statuses, changes),
    allStatuses: viewStatuses(actor, statuses),
    panel: await viewPanel(view, post, statuses),
    ...(await viewTeamParts(view, post)),
    merge: await viewMerge(view, post, search.get('merge') ?? (isTriageView(args.params.view) ? '' : null), statuses),
  };
}

/** When the post can be expected, with the time that it has already. */
function viewExpectable({ visit }: View, { expected }: PostRow): string[] {
  const times = listExpectable(visit.clock.now());
  return expected === null || times.includes(expected) ? times : [expected, ...times];
}

/** The notice whose mails can still be stopped, and the title of its post, which may be the one before in triage. */
async function viewHeld({ context }: View, id: string) {
  const { db, board, actor } = context;
  const postId = await findHeld(context, id);
  const [post] = postId === null ? [] : await findPosts(db.read, board.id, [postId], actor);
  return post ? { id, title: post.title } : null;
}

/** The posts that this one can be merged into, if that is asked. */
async function viewMerge(view: View, post: PostRow, words: string | null, statuses: readonly StatusRow[]) {
  const isAsked = words !== null && rightsOn(view, post).merge && post.merged_into_id === null;
  return isAsked ? orErrorPage(viewMergeTargets(view, post, words, statuses)) : null;
}

/** How many users a change of the status or an official answer would notify, and how many a merge. */
async function viewAudiences({ visit, context }: View, post: PostRow) {
  const actor = await visit.people.on(context.board);
  if (!actor) return null;
  const count = (kind: NoticeKind) => countAudience({ ...context, actor }, post.id, kind);
  return { status: await count('STATUS'), merge: await count('MERGE') };
}

export type PostPage = Awaited<ReturnType<typeof loadPost>>;

/** A post that a route shows, and what became of a form of it. */
export type ShownPost = { post: PostPage; answer: FormAnswer | undefined; preview: FormPreview | null };

/** The post with this number. @throws an error page if there is none that the viewer may see */
export async function findPost({ visit: { db }, context: { board, actor } }: View, number: string | undefined) {
  const post = await findPostByNumber(db.read, board.id, Number(number), actor);
  if (!post) throw new Response(null, { status: 404 });
  return post;
}
