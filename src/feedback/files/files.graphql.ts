import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { fileUrl, findFilesOfComments, findFilesOfPosts, type ShownFile } from './files.ts';

export const FileType = builder.objectRef<ShownFile>('File').implement({
  description: 'A file of a post, comment or changelog entry; upload it with POST /api/v1/files',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the file' }),
    name: t.exposeString('name', { description: 'File name' }),
    contentType: t.exposeString('content_type', { description: 'Media type, detected from the bytes' }),
    size: t.exposeInt('size', { description: 'Size in bytes' }),
    url: t.string({
      description: 'URL of the file. Anyone who has it can open it while what the file belongs to is visible',
      resolve: (file, _, { baseUrl }) => fileUrl(file, baseUrl),
    }),
  }),
});

/** Files of posts that the reader may see, in the order of their uploads. */
export const loadFilesOfPost = defineLoader<string, void, ShownFile[]>(async ({ db, board }, ids) =>
  Map.groupBy(await findFilesOfPosts(db.read, { boardId: board.id, ids }), (file) => file.post_id as string),
);

/** As `loadFilesOfPost`, for comments. */
export const loadFilesOfComment = defineLoader<string, void, ShownFile[]>(async ({ db, board }, ids) =>
  Map.groupBy(await findFilesOfComments(db.read, { boardId: board.id, ids }), (file) => file.comment_id as string),
);

builder.objectField(PostType, 'files', (t) =>
  t.field({
    type: [FileType],
    description: 'Files of the post, in the order of upload',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadFilesOfPost(context, post.id)) ?? [],
  }),
);
