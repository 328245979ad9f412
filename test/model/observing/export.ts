import { attributesOf } from '../attributes.ts';
import type { Any } from '../operation.ts';
import { isTeam, seesComment, seesEntry, seesPost, type Viewer } from '../rights.ts';
import { byDate, byId, iso, known, showPost, visibleComments, visiblePosts } from '../showing.ts';
import type { Comment, Entry, Person, Post, World } from '../world.ts';
import { same } from './reading.ts';

/** Compares the export with what a user may see; without a user it has what every member may see. */
export async function observeExport(world: World, viewer: Viewer, lines: string): Promise<void> {
  const rows = lines.split('\n').filter(Boolean);
  const service = new Set(world.comments.filter(({ text }) => text === null).map(({ id }) => id));
  const found = rows.map((line) => {
    const row = JSON.parse(line);
    if (row.row === 'post') return shortPost(row);
    if (row.row === 'changelogEntry') return shortEntry(row);
    if (row.row === 'changelogReaction' || row.row === 'commentReaction') return shortReaction(row);
    return row.row === 'vote' ? shortVote(row) : { ...shortComment(row), text: service.has(row.id) ? null : row.text };
  });
  const comments = byDate(visibleComments(world, viewer));
  const expected = byId(visiblePosts(world, viewer)).flatMap((post) => [
    exportPost(world, viewer, post),
    ...comments
      .filter((one) => one.post === post && !one.isFirst)
      .flatMap((comment) => [exportComment(viewer, comment), ...exportReactions(viewer, comment)]),
    ...exportVotes(post),
  ]);
  const entries = byId(world.entries.filter((entry) => seesEntry(viewer, entry)));
  const changelog = entries.flatMap((entry) => [exportEntry(viewer, entry), ...exportReactions(viewer, entry)]);
  same(inAnyOrderOfPeople(found), inAnyOrderOfPeople([...expected, ...changelog]), 'the export');
}

/** Votes and reactions come by the ids of people, which are unknown for erased people. */
function inAnyOrderOfPeople(rows: readonly Any[]): Any[] {
  const { ordered = [], byPeople = [] } = Object.groupBy(rows, ({ kind }) =>
    kind === 'vote' || kind === 'reaction' ? 'byPeople' : 'ordered',
  );
  const places = byPeople.map((row) => ({ row, place: JSON.stringify(row) }));
  return [...ordered, ...places.toSorted((a, b) => (a.place < b.place ? -1 : 1)).map(({ row }) => row)];
}

function shortPost(row: Any) {
  const { id, number, title, text, upvoteCount, downvoteCount, commentCount, externalId } = row;
  const { moderationStatus, mergedIntoId, dateCreated, dateUpdated, dateCompleted } = row;
  const counts = { upvoteCount, downvoteCount, commentCount };
  const related = {
    status: row.status.id,
    tags: row.tags.map((tag: Any) => tag.id),
    author: row.author?.ssoId ?? null,
    properties: row.properties.length,
  };
  const state = { externalId, ...attributesOf(row), moderationStatus, mergedIntoId };
  const dates = { dateCreated, dateUpdated, dateCompleted };
  return { kind: 'post', id, number, title, text, ...counts, ...related, ...state, ...dates };
}

function exportPost(world: World, viewer: Viewer, post: Post) {
  const shown = showPost(world, viewer, post);
  return {
    kind: 'post',
    id: post.id,
    number: post.number,
    title: post.title,
    text: shown.content,
    upvoteCount: shown.upvoteCount,
    downvoteCount: shown.downvoteCount,
    commentCount: shown.commentCount,
    status: post.status.id,
    tags: shown.tags.map(({ id }) => id),
    properties: shown.properties.length,
    author: nameOf(post.author),
    externalId: post.externalId,
    ...attributesOf(post),
    moderationStatus: post.moderation,
    mergedIntoId: shown.mergedInto?.id ?? null,
    dateCreated: shown.dateCreated,
    dateUpdated: shown.dateUpdated,
    dateCompleted: shown.dateCompleted,
  };
}

function shortComment(row: Any) {
  const { id, postId, parentId, type, moderationStatus, user } = row;
  return { kind: 'comment', id, postId, parentId, type, moderationStatus, user: user?.ssoId ?? null };
}

function exportComment(viewer: Viewer, { id, post, parent, type, moderation, author, text }: Comment) {
  const parentId = parent && seesComment(viewer, parent) ? parent.id : null;
  const about = { kind: 'comment', id, postId: post.id, parentId, type };
  return { ...about, moderationStatus: moderation, user: nameOf(author), text };
}

function shortVote({ postId, type, user, addedById }: Any) {
  return { kind: 'vote', postId, type, user: user?.ssoId ?? null, addedById };
}

function exportVotes(post: Post) {
  const votes = post.mergedInto ? [] : [...post.votes];
  return votes
    .toSorted(([a], [b]) => (a.id < b.id ? -1 : 1))
    .map(([person, { type, addedBy }]) => ({
      kind: 'vote',
      postId: post.id,
      type,
      user: nameOf(person),
      addedById: known(addedBy)?.id ?? null,
    }));
}

function shortReaction({ commentId, entryId, reaction, user }: Any) {
  return { kind: 'reaction', on: commentId ?? entryId, reaction, user: user?.ssoId ?? null };
}

/** The reactions to a comment or an entry, one by one: others than the team only see how many there are. */
function exportReactions(viewer: Viewer, { id, reactions }: Comment | Entry) {
  if (!isTeam(viewer)) return [];
  return [...reactions].flatMap(([person, own]) =>
    [...own].map((reaction) => ({ kind: 'reaction', on: id, reaction, user: nameOf(person) })),
  );
}

function shortEntry(row: Any) {
  const { id, number, title, text, labels, postIds, author, dateScheduled, datePublished } = row;
  const dates = { dateScheduled, datePublished };
  return {
    kind: 'entry',
    id,
    number,
    title,
    text,
    labels,
    postIds: postIds.sort(),
    author: author?.ssoId ?? null,
    ...dates,
  };
}

function exportEntry(viewer: Viewer, entry: Entry) {
  const { id, number, title, text, labels, scheduled, published } = entry;
  const posts = [...entry.posts].filter((post) => seesPost(viewer, post));
  return {
    kind: 'entry',
    id,
    number,
    title,
    text,
    labels,
    postIds: posts.map((post) => post.id).sort(),
    author: nameOf(entry.author),
    dateScheduled: iso(scheduled),
    datePublished: iso(published),
  };
}

function nameOf(person: Person | null): string | null {
  return known(person)?.ssoId ?? null;
}
