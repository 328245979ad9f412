import { builder } from '../graphql/builder.ts';
import { reads } from '../graphql/columns.ts';
import { LONG_TEXT } from '../graphql/limits.ts';
import { defineLoader } from '../graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { FieldObject, FieldTypeEnum } from './fields.graphql.ts';
import { findPropertiesOfPosts, type Property } from './properties.ts';

export const PostPropertyInput = builder.inputType('PostPropertyInput', {
  description: 'What a post shall have in a field; no values empty it',
  fields: (t) => ({
    parent: t.string({ required: true, description: "The field's id" }),
    values: t.stringList({
      required: { list: true, items: false },
      description: 'Texts; of selections the ids or names of options. One value, but for SELECTION_MULTI',
    }),
  }),
});

const PostPropertyObject = builder.objectRef<Property>('PostProperty').implement({
  fields: (t) => ({
    id: t.string({ resolve: ({ postId, field }) => `${postId}:${field.id}` }),
    parent: t.string({ description: "The field's id", resolve: ({ field }) => field.id }),
    type: t.field({ type: FieldTypeEnum, resolve: ({ field }) => field.type }),
    values: t.field({
      type: ['String'],
      description: 'At least one; of selections the ids of options',
      extensions: LONG_TEXT,
      resolve: ({ values }) => [...values],
    }),
    field: t.field({ type: FieldObject, nullable: true, resolve: ({ field }) => field }),
  }),
});

const loadProperties = defineLoader<string, void, Property[]>(({ db, board, actor }, postIds) =>
  findPropertiesOfPosts(db.read, board.id, postIds, actor),
);

builder.objectField(PostType, 'properties', (t) =>
  t.field({
    type: [PostPropertyObject],
    description: 'What the post has in the fields that the acting user may see; fields without a value are left out',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadProperties(context, post.id)) ?? [],
  }),
);
