import { BoardType, loadBoard } from '../../identity/board/board.graphql.ts';
import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { notFound } from '../../platform/errors.ts';
import { builder } from '../../platform/graphql/builder.ts';
import { columnsOf, type FieldInfo, reads } from '../../platform/graphql/columns.ts';
import type { Context } from '../../platform/graphql/context.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { loadStatus, StatusObject } from '../statuses/statuses.graphql.ts';
import type { StatusRow } from '../statuses/statuses.ts';
import { mapAttributes, readAttribute } from './attributes.ts';
import { findPost, findPostByNumber, findPosts, type PostRow, postUrl } from './posts.ts';

export const PostType = builder.objectRef<PostRow>('Post').implement({
  description: 'A post on the board (an "idea" on the pages): a suggestion with its votes and comments',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the post' }),
    title: t.exposeString('title', { description: 'Title, 1 to 200 characters' }),
    pid: t.string({
      description: "The post's number as a string",
      deprecationReason: 'Use `number`',
      extensions: reads<PostRow>('number'),
      resolve: (post) => String(post.number),
    }),
    number: t.exposeInt('number', { description: 'Number of the post on its board, counting from 1; part of its URL' }),
    excerpt: t.exposeString('excerpt', {
      nullable: true,
      description: 'Beginning of the description as plain text on one line; null without a description',
    }),
    externalId: t.exposeString('external_id', {
      nullable: true,
      description: 'Id of the post in your own system; null if none was given',
    }),
    dateCreated: t.expose('date_created', { type: 'DateTime', description: 'When the post was created' }),
    dateUpdated: t.expose('date_updated', {
      type: 'DateTime',
      description: 'When the post, its status, tags, fields or counters last changed',
    }),
    dateCompleted: t.field({
      type: 'DateTime',
      nullable: true,
      description: 'When the post reached its status of type COMPLETED; null if it has another status',
      extensions: reads<PostRow>('date_completed'),
      resolve: (post) => post.date_completed || null,
    }),
    ...mapAttributes((attribute) =>
      attribute.type === 'Boolean'
        ? t.boolean({
            description: attribute.description,
            extensions: reads<PostRow>(attribute.column),
            resolve: (post) => readAttribute(post, attribute) === true,
          })
        : t.exposeString(attribute.column, { nullable: true, description: attribute.description }),
    ),
  }),
});

builder.objectFields(PostType, (t) => ({
  isSample: t.boolean({
    description: 'Whether the post is part of the sample data of a new board',
    extensions: reads<PostRow>('is_sample'),
    resolve: (post) => post.is_sample === 1,
  }),
  url: t.string({
    description: 'URL of the page of the post',
    extensions: reads<PostRow>('number', 'title'),
    resolve: (post, _, { board, baseUrl }) => postUrl(post, board, baseUrl),
  }),
  board: t.field({
    type: BoardType,
    description: 'The board that the post is on',
    extensions: reads<PostRow>('board_id'),
    resolve: (post, _, context) =>
      loadBoard(context, post.board_id).map((board) => {
        if (!board) throw notFound('Board');
        return board;
      }),
  }),
  statusId: t.exposeString('status_id', { nullable: true, description: 'Id of the status' }),
  status: t.field({
    type: StatusObject,
    description: 'The current status',
    extensions: reads<PostRow>('status_id'),
    resolve: (post, _, context) => requireStatusOf(context, post),
  }),
  author: t.field({
    type: UserType,
    nullable: true,
    description: 'Who wrote the post; null once that user has been erased',
    extensions: reads<PostRow>('author_id'),
    resolve: authorOf,
  }),
  user: t.field({
    type: UserType,
    nullable: true,
    description: 'Same as `author`',
    deprecationReason: 'Use `author`',
    extensions: reads<PostRow>('author_id'),
    resolve: authorOf,
  }),
}));

/** Posts by id, if the acting user may see them. */
export const loadPost = defineLoader<string, void, PostRow>(async ({ db, board, actor }, ids) => {
  const posts = await findPosts(db.read, board.id, ids, actor);
  return new Map(posts.map((post) => [post.id, post]));
});

builder.queryField('post', (t) =>
  t.field({
    type: PostType,
    nullable: true,
    description: 'The post with this id; null if there is none that the viewer may see',
    args: { id: t.arg.string({ required: true, description: 'Id of the post' }) },
    resolve: (_, { id }, { db, board, actor }, info) => findPost(db.read, board.id, id, actor, columnsOf(info)),
  }),
);

builder.queryField('postByNumber', (t) =>
  t.field({
    type: PostType,
    nullable: true,
    description:
      'The post with this number, as in its URL /b/<pid>/posts/<number>/…; null if there is none that the viewer may see',
    args: { number: t.arg.int({ required: true, description: 'Number of the post on the board' }) },
    resolve: (_, { number }, { db, board, actor }, info) =>
      findPostByNumber(db.read, board.id, number, actor, columnsOf(info)),
  }),
);

function requireStatusOf(context: Context, post: PostRow): Promise<StatusRow> {
  return loadStatus(context, post.status_id).map((status) => {
    if (!status) throw notFound('Status');
    return status;
  });
}

function authorOf(post: PostRow, _: unknown, context: Context, info: FieldInfo) {
  return loadUser(context, post.author_id, info);
}
