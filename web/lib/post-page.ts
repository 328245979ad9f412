import { findDescription } from '#src/feedback/comments/comments.ts';
import { areHeld } from '#src/feedback/notices/notices.ts';
import { countAudience } from '#src/feedback/notifying/audience.ts';
import { POST_TEXT, POST_TITLE } from '#src/feedback/posts/posts.ts';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { findSubscriptions } from '#src/feedback/subscriptions/subscriptions.ts';
import { findTagsOfPosts } from '#src/feedback/tags/tagging.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import { isBlocked } from '#src/identity/users/authority.ts';
import { renderMarkdown } from '#src/pages/rendering.ts';
import { makeId } from '#src/platform/lib/ids.ts';
import { makeSlug } from '#src/platform/lib/text.ts';
import type { PostRow } from '../../src/feedback/posts/posts.ts';
import type { View } from './joining.ts';
import { givenStatuses, namesOf, rightsOn, viewAuthorStanding, viewDiscussion, viewTarget } from './post-view.ts';
import { viewPosts } from './posts.ts';

/** What the page of a post shows; see `viewPostPage`. */
export type PostPage = Awaited<ReturnType<typeof viewPostPage>>;

/** A post with its discussion, and what the viewer may do with both. @param search of the page's address */
export async function viewPostPage(view: View, post: PostRow, search: URLSearchParams) {
  const { db } = view.visit;
  const { board, actor } = view.context;
  const statuses = await listStatuses(db.read, board.id);
  const [shown] = await viewPosts(view, [post], statuses);
  if (!shown) throw new Response(null, { status: 404 });
  const edit = search.get('edit');
  const order = search.get('comments') === 'newest' ? ('NEWEST' as const) : ('OLDEST' as const);
  const description = await findDescription(db.read, post);
  const tags = (await findTagsOfPosts(db.read, board.id, [post.id], actor)).get(post.id) ?? [];
  const rights = rightsOn(view, post);
  const own = actor && { boardId: board.id, userId: actor.id, postIds: [post.id] };
  const follows = own ? await findSubscriptions(db.read, own) : [];
  return {
    ...shown,
    order,
    rights,
    authorStanding: await viewAuthorStanding(view, post),
    author: (await namesOf(view, [post.author_id]))(post.author_id),
    html: description ? await renderMarkdown(description.text) : null,
    source: edit === 'post' && rights.edit ? (description?.text ?? '') : null,
    isFollowed: follows.length > 0,
    isSignedIn: await view.visit.people.areSignedIn(board),
    isBlocked: isBlocked(actor),
    isRejected: post.moderation_status === 'REJECTED',
    tags: tags.map(({ id, name }) => ({ id, name, slug: makeSlug(name) })),
    target: await viewTarget(view, post),
    statusId: post.status_id,
    statuses: rights.status ? givenStatuses(statuses) : [],
    audience: rights.status ? await viewAudience(view, post) : null,
    notice: rights.status ? await findHeld(view, search.get('notice') ?? '') : null,
    allTags: rights.tags ? (await listTags(db.read, board.id, actor)).map(({ id, name }) => ({ id, name })) : [],
    formId: makeId(),
    lengths: { title: POST_TITLE.max, text: POST_TEXT.max },
    discussion: await viewDiscussion(view, post, {
      order,
      after: search.get('after'),
      whole: search.get('show'),
      edit,
    }),
  };
}

/** The notice whose mails can still be stopped. */
async function findHeld({ context }: View, id: string): Promise<string | null> {
  return (await areHeld(context, id)) ? id : null;
}

/** How many users a change of the status would notify. */
async function viewAudience({ visit, context }: View, post: PostRow) {
  const actor = await visit.people.on(context.board);
  return actor && countAudience({ ...context, actor }, post.id, 'STATUS');
}
