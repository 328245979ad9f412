import { isOfTeam } from '../../identity/activity/activity.ts';
import { requireRight } from '../../identity/users/authority.ts';
import type { ActorContext } from '../../identity/users/request-context.ts';
import { notFound } from '../../platform/errors.ts';
import { requireLineOr, requireTextOr } from '../../platform/texts/text.ts';
import { findDescription } from '../comments/comments.ts';
import { writeDescription } from '../comments/writing.ts';
import {
  type FieldValues,
  nameOfField,
  type PropertyInputs,
  parseProperties,
  replaceProperties,
} from '../fields/properties.ts';
import { type AttributeChanges, attributeList, parseAttributes } from '../posts/attributes.ts';
import { excerptOf } from '../posts/excerpt.ts';
import { POST_TEXT, POST_TITLE, type PostRow, requirePostForChange, setPost } from '../posts/posts.ts';
import { type RecordedPost, recordPostChange } from '../posts/recording.ts';
import { indexPost } from '../search/indexing.ts';
import { requireStatusOf } from '../statuses/statuses.ts';
import { parseTagIds, replaceTags } from '../tags/tagging.ts';
import { seesPost } from '../visibility/posts.ts';
import { announceTags } from './announcing.ts';
import { lockPosts } from './merging.ts';
import { insertChange } from './moving.ts';
import { readPostState, requireSeen } from './state.ts';

/** Changes to a post; omitted properties stay unchanged. */
export type PostChanges = AttributeChanges & {
  title?: string | null | undefined;
  comment?: string | null | undefined;
  /** New values of these fields; others stay unchanged. */
  properties?: PropertyInputs | null | undefined;
  /** The complete list of tags. */
  tagIds?: readonly string[] | null | undefined;
};

/**
 * Changes title, description and properties (its author and moderators), or tags and attributes (moderators).
 * @param seen what the change was made from: it is refused if that is not the current state
 */
export async function updatePost(
  context: ActorContext,
  id: string,
  changes: PostChanges,
  seen: RecordedPost = {},
): Promise<PostRow> {
  const title = requireLineOr(changes.title ?? null, POST_TITLE);
  const written = requireTextOr(changes.comment ?? null, POST_TEXT);
  const attributes = parseAttributes(changes);
  const tagIds = parseTagIds(changes.tagIds);
  const properties = changes.properties?.length ? changes.properties : null;
  const changesNothing = Object.values({ ...changes, properties }).every((change) => change == null);
  return context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    if (changesNothing) return post;
    await requireSeen(tx, post, seen);
    if (title !== null || written !== null || properties) requireRight(context.actor, 'post.edit', post.author_id);
    for (const { name, right } of attributeList) if (changes[name] != null) requireRight(context.actor, right);
    if (tagIds) requireRight(context.actor, 'post.tags');
    const values = await parseProperties(tx, context, properties ?? [], { asks: 'NONE' });
    const names = isOfTeam(context) ? namesOf(changes, values) : [];
    const before = await readPostState(tx, post, names);
    const now = context.clock.now();
    const text = written === null ? null : await writeDescription(tx, context, post, { text: written, now });
    // A title that is no one's but the team's and the author's is not told when others see the post.
    if (title !== null && title !== post.title && seesPost(null, post, await requireStatusOf(tx, post))) {
      await insertChange(tx, context, post, { type: 'TITLE_CHANGE', from: post.title, to: title });
    }
    const changed = await setPost(tx, post, {
      ...(title !== null && { title }),
      ...(text !== null && { excerpt: excerptOf(text) }),
      ...attributes,
      date_updated: now,
    });
    if (title !== null || text !== null) {
      await indexPost(tx, changed, text ?? (await findDescription(tx, changed))?.text ?? null);
    }
    if (tagIds) await announceTags(tx, context, changed, await replaceTags(tx, context, changed, tagIds));
    await replaceProperties(tx, changed, values);
    await recordPostChange(tx, context, post, before, await readPostState(tx, changed, names));
    return changed;
  });
}

/** What `updatePost` changes, by the names of `readPostState`. */
function namesOf({ properties, ...changes }: PostChanges, values: readonly FieldValues[]): string[] {
  const given = Object.entries(changes).filter(([, value]) => value != null);
  return [...given.map(([name]) => name), ...values.map(({ field }) => nameOfField(field.id))];
}

/** Gives a post former values in fields again, even while it is deleted: it may come back. */
export async function restoreValues(context: ActorContext, id: string, inputs: PropertyInputs): Promise<void> {
  await context.db.transaction(async (tx) => {
    const post = (await lockPosts(tx, context.board.id, [id])).get(id);
    if (!post) throw notFound('Post');
    requireRight(context.actor, 'post.edit', post.author_id);
    const values = await parseProperties(tx, context, inputs, { asks: 'NONE' });
    const names = namesOf({}, values);
    const before = await readPostState(tx, post, names);
    await replaceProperties(tx, post, values);
    await recordPostChange(tx, context, post, before, await readPostState(tx, post, names));
  });
}

/** Removes the description of a post that had none before. */
export async function removeDescription(context: ActorContext, id: string): Promise<void> {
  await context.db.transaction(async (tx) => {
    const post = await requirePostForChange(tx, context, id);
    requireRight(context.actor, 'post.edit', post.author_id);
    const description = await findDescription(tx, post);
    if (!description) return;
    await tx.deleteFrom('comments').where('board_id', '=', post.board_id).where('id', '=', description.id).execute();
    const changed = await setPost(tx, post, { excerpt: null, date_updated: context.clock.now() });
    await indexPost(tx, changed, null);
    await recordPostChange(tx, context, post, { comment: description.text }, { comment: null });
  });
}
