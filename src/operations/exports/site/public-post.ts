import { hasMessage } from '../../../feedback/comments/changes.ts';
import { isWritten } from '../../../feedback/comments/comments.ts';
import type { CommentReaction } from '../../../feedback/comments/reactions.ts';
import { namesOf } from '../../../feedback/fields/values.ts';
import { attributesOf } from '../../../feedback/posts/attributes.ts';
import type { PostRow } from '../../../feedback/posts/posts.ts';
import { toInstant } from '../../../platform/lib/instant.ts';
import { asTyped } from '../../../platform/texts/mentions.ts';
import type { Entry, ExportedFile } from '../entries.ts';
import { copyNameOf } from './addresses.ts';

type PostEntry = Extract<Entry, { kind: 'post' }>;
type CommentEntry = Extract<Entry, { kind: 'comment' }>;

/** A post with its comments. */
export type Discussion = { entry: PostEntry; comments: CommentEntry[] };

/** What posts and comments refer to, as far as anonymous visitors see it. */
export type Related = {
  nameOf(id: string | null): string | null;
  postOf(id: string | null): PostRow | null;
  reactionsOf(commentId: string): { reaction: CommentReaction; count: number }[];
};

/** A post for programs, without what its page does not show either. */
export type PublicPost = ReturnType<typeof toPublicPost>;

/** Describes a post as anonymous visitors see it. */
export function toPublicPost({ entry, comments }: Discussion, related: Related) {
  const { post, status } = entry;
  const { isPinned, ...attributes } = attributesOf(post);
  const nameOf = (id: string) => related.nameOf(id);
  return {
    number: post.number,
    title: post.title,
    text: entry.text && asTyped(entry.text, nameOf),
    status: status && { name: status.name, type: status.type },
    votes: post.upvotes,
    tags: entry.tags.map(({ name }) => name),
    fields: entry.properties.map(({ field, values }) => ({ label: field.label, values: namesOf(field, values) })),
    files: entry.files.map(toPublicFile),
    author: related.nameOf(post.author_id),
    isPinned,
    ...attributes,
    mergedInto: related.postOf(entry.mergedIntoId)?.number ?? null,
    dateCreated: toInstant(post.date_created),
    dateCompleted: toInstant(post.date_completed || null),
    comments: comments
      .filter(({ comment }) => isWritten(comment) || hasMessage(comment))
      .map((comment) => toPublicComment(comment, related)),
  };
}

function toPublicComment({ comment, files }: CommentEntry, related: Related) {
  return {
    id: comment.id,
    parentId: comment.parent_id,
    type: comment.type,
    author: related.nameOf(comment.user_id),
    text: asTyped(comment.text, (id) => related.nameOf(id)),
    files: files.map(toPublicFile),
    reactions: related.reactionsOf(comment.id),
    dateCreated: toInstant(comment.date_created),
    dateUpdated: toInstant(comment.date_updated),
  };
}

/** Its copy lies beside the page of the post. */
function toPublicFile({ name, content_type, size, url }: ExportedFile) {
  return { name, contentType: content_type, size, path: `files/${copyNameOf(new URL(url).pathname)}` };
}

/** The post as Markdown; the texts are in it as they were written. */
export function printMarkdown({ comments, text, files, ...post }: PublicPost): string {
  const head = {
    title: post.title,
    number: post.number,
    status: post.status?.name ?? null,
    votes: post.votes,
    tags: post.tags,
    author: post.author,
    date: post.dateCreated,
    mergedInto: post.mergedInto,
    ...Object.fromEntries(post.fields.map(({ label, values }) => [`field ${label}`, values])),
  };
  // Every JSON value is one of YAML, too.
  const lines = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const parts = comments.map((comment) => {
    const official = comment.type === 'OFFICIAL' ? ' · OFFICIAL' : '';
    const by = `**${escapeMarkdown(comment.author ?? '?')}** · ${comment.dateCreated}${official}`;
    return [by, comment.text, ...comment.files.map(linkTo)].join('\n\n');
  });
  return `---\n${lines.join('\n')}\n---\n\n${[[text ?? '', ...files.map(linkTo)].join('\n\n'), ...parts].join('\n\n---\n\n')}\n`;
}

function linkTo({ name, path }: { name: string; path: string }): string {
  return `[${escapeMarkdown(name)}](${path})`;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, '\\$&');
}
