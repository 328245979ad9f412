import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { FileType, loadFilesOfComment, loadFilesOfPost } from '../files/files.graphql.ts';
import { CommentObject } from './comments.graphql.ts';
import type { CommentRow } from './comments.ts';

builder.objectField(CommentObject, 'files', (t) =>
  t.field({
    type: [FileType],
    description: 'Files of the comment, in the order of upload; the first comment has those of its post',
    extensions: reads<CommentRow>('id', 'is_first', 'post_id'),
    resolve: async (comment, _, context) => {
      const load = comment.is_first
        ? loadFilesOfPost(context, comment.post_id)
        : loadFilesOfComment(context, comment.id);
      return (await load) ?? [];
    },
  }),
);
