import type { GraphQLResolveInfo } from 'graphql';
import { BoardType, loadBoard } from '../board/board.graphql.ts';
import { notFound } from '../errors.ts';
import { builder } from '../graphql/builder.ts';
import { columnsOf, reads } from '../graphql/columns.ts';
import type { Context } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { loadStatus, StatusObject } from '../statuses/statuses.graphql.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { loadUser, UserType } from '../users/users.graphql.ts';
import { findPost, findPostByNumber, findPosts, type PostRow, postUrl } from './posts.ts';

export const PostType = builder.objectRef<PostRow>('Post').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    title: t.exposeString('title'),
    pid: t.string({
      description: "The post's number as text",
      extensions: reads<PostRow>('number'),
      resolve: (post) => String(post.number),
    }),
    number: t.exposeInt('number', { description: 'Counts up from 1 on each board' }),
    excerpt: t.exposeString('excerpt', { nullable: true, description: 'The beginning of the text, on one line' }),
    externalId: t.exposeString('external_id', { nullable: true }),
    dateCreated: t.expose('date_created', { type: 'DateTime' }),
    dateUpdated: t.expose('date_updated', { type: 'DateTime' }),
    dateCompleted: t.field({
      type: 'DateTime',
      nullable: true,
      extensions: reads<PostRow>('date_completed'),
      resolve: (post) => post.date_completed || null,
    }),
    isLocked: t.boolean({ extensions: reads<PostRow>('is_locked'), resolve: (post) => post.is_locked === 1 }),
    isPinned: t.boolean({ extensions: reads<PostRow>('is_pinned'), resolve: (post) => post.is_pinned === 1 }),
    isSample: t.boolean({ extensions: reads<PostRow>('is_sample'), resolve: (post) => post.is_sample === 1 }),
    url: t.string({
      extensions: reads<PostRow>('number', 'title'),
      resolve: (post, _, { board, baseUrl }) => postUrl(post, board, baseUrl),
    }),
    board: t.field({
      type: BoardType,
      extensions: reads<PostRow>('board_id'),
      async resolve(post, _, context) {
        const board = await loadBoard(context, post.board_id);
        if (!board) throw notFound('Board');
        return board;
      },
    }),
    statusId: t.exposeString('status_id', { nullable: true }),
    status: t.field({
      type: StatusObject,
      extensions: reads<PostRow>('status_id'),
      resolve: (post, _, context) => requireStatusOf(context, post),
    }),
    author: t.field({ type: UserType, nullable: true, extensions: reads<PostRow>('author_id'), resolve: authorOf }),
    user: t.field({
      type: UserType,
      nullable: true,
      description: 'The same as author',
      extensions: reads<PostRow>('author_id'),
      resolve: authorOf,
    }),
  }),
});

/** Posts by id, as far as the acting user may see them. */
export const loadPost = defineLoader<string, void, PostRow>(async ({ db, board, actor }, ids) => {
  const posts = await findPosts(db.read, board.id, ids, actor);
  return new Map(posts.map((post) => [post.id, post]));
});

builder.queryField('post', (t) =>
  t.field({
    type: PostType,
    nullable: true,
    description: 'Null when no such post is visible to the caller',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { db, board, actor }, info) => findPost(db.read, board.id, id, actor, columnsOf(info)),
  }),
);

builder.queryField('postByNumber', (t) =>
  t.field({
    type: PostType,
    nullable: true,
    description: 'The post with this number, which its address has too: /b/<pid>/posts/<number>/…. Null as with post.',
    args: { number: t.arg.int({ required: true }) },
    resolve: (_, { number }, { db, board, actor }, info) =>
      findPostByNumber(db.read, board.id, number, actor, columnsOf(info)),
  }),
);

async function requireStatusOf(context: Context, post: PostRow): Promise<StatusRow> {
  const status = await loadStatus(context, post.status_id);
  if (!status) throw notFound('Status');
  return status;
}

function authorOf(post: PostRow, _: unknown, context: Context, info: GraphQLResolveInfo) {
  return loadUser(context, post.author_id, info);
}
