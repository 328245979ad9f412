import { isSelection } from '../../feedback/fields/fields.ts';
import type { Property } from '../../feedback/fields/properties.ts';
import { namesOf } from '../../feedback/fields/values.ts';
import { attributesOf } from '../../feedback/posts/attributes.ts';
import { toInstant } from '../../platform/lib/instant.ts';
import type { Entry, ExportedFile, ExportedPerson } from './entries.ts';

/** An entry as one line of JSON, with everything as it is in the store. */
export function toJsonl(entry: Entry): string {
  return `${JSON.stringify(toObject(entry))}\n`;
}

function toObject(entry: Entry): object {
  switch (entry.kind) {
    case 'post':
      return ofPost(entry);
    case 'comment':
      return ofComment(entry);
    case 'reaction':
      return ofReaction(entry);
    case 'vote':
      return ofVote(entry);
  }
}

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

function ofPost({
  post,
  url,
  text,
  status,
  tags,
  files,
  properties,
  person,
  commentCount,
  mergedIntoId,
}: Of<'post'>): object {
  return {
    row: 'post',
    id: post.id,
    number: post.number,
    url,
    title: post.title,
    text,
    upvoteCount: post.upvotes,
    unattributedUpvoteCount: post.unattributed_upvotes,
    downvoteCount: post.downvotes,
    commentCount,
    status: status && {
      id: status.id,
      name: status.name,
      type: status.type,
      postVisibility: status.post_visibility,
      isOnRoadmap: status.is_on_roadmap === 1,
    },
    tags: tags.map(({ id, name, color, is_private }) => ({ id, name, color, isPrivate: is_private === 1 })),
    files: files.map(toFile),
    properties: properties.map(toProperty),
    author: toPerson(person),
    externalId: post.external_id,
    ...attributesOf(post),
    isSample: post.is_sample === 1,
    moderationStatus: post.moderation_status,
    mergedIntoId,
    dateCreated: toInstant(post.date_created),
    dateUpdated: toInstant(post.date_updated),
    dateCompleted: toInstant(post.date_completed || null),
  };
}

function ofComment({ comment, files, reactions, person }: Of<'comment'>): object {
  return {
    row: 'comment',
    id: comment.id,
    postId: comment.post_id,
    parentId: comment.parent_id,
    type: comment.type,
    text: comment.text,
    files: files.map(toFile),
    reactions: reactions.map(({ reaction, count }) => ({ reaction, count })),
    moderationStatus: comment.moderation_status,
    user: toPerson(person),
    dateCreated: toInstant(comment.date_created),
    dateUpdated: toInstant(comment.date_updated),
  };
}

function ofReaction({ postId, reaction, person }: Of<'reaction'>): object {
  return {
    row: 'commentReaction',
    postId,
    commentId: reaction.comment_id,
    reaction: reaction.reaction,
    user: toPerson(person),
    dateCreated: toInstant(reaction.date_created),
  };
}

function ofVote({ vote, person }: Of<'vote'>): object {
  return {
    row: 'vote',
    id: vote.id,
    postId: vote.post_id,
    type: vote.type,
    user: toPerson(person),
    addedById: vote.added_by,
    evidence: vote.evidence,
    dateCreated: toInstant(vote.date_created),
  };
}

function toProperty({ field, values }: Property): object {
  const { id, label, type } = field;
  return { parent: id, label, type, values, ...(isSelection(type) && { names: namesOf(field, values) }) };
}

/** A person as an export names them. */
export function toPerson(person: ExportedPerson | null): object | null {
  if (!person) return null;
  const { id, sso_type, sso_id, name, email } = person;
  return { id, ssoType: sso_type, ssoId: sso_id, name, email };
}

/** A file as an export names it. */
export function toFile({ id, name, content_type, size, url }: ExportedFile): object {
  return { id, name, contentType: content_type, size, url };
}
