import { builder } from '../../platform/graphql/builder.ts';
import { reads } from '../../platform/graphql/columns.ts';
import { LONG_TEXT } from '../../platform/graphql/limits.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { PostType } from '../posts/posts.graphql.ts';
import type { PostRow } from '../posts/posts.ts';
import { FieldObject, FieldTypeEnum } from './fields.graphql.ts';
import { findPropertiesOfPosts, type Property } from './properties.ts';

export const PostPropertyInput = builder.inputType('PostPropertyInput', {
  description: 'Value of a field on a post; an empty list of values clears it',
  fields: (t) => ({
    parent: t.string({ required: true, description: 'Id of the field' }),
    values: t.stringList({
      required: { list: true, items: false },
      description: 'The value as text; options by id or name. One value, several only with SELECTION_MULTI',
    }),
  }),
});

const PostPropertyObject = builder.objectRef<Property>('PostProperty').implement({
  description: 'Value of a field on a post',
  fields: (t) => ({
    id: t.string({
      description: 'Id of the property, composed of the ids of post and field',
      resolve: ({ postId, field }) => `${postId}:${field.id}`,
    }),
    parent: t.string({ description: 'Id of the field', resolve: ({ field }) => field.id }),
    type: t.field({ type: FieldTypeEnum, description: 'Type of the field', resolve: ({ field }) => field.type }),
    values: t.field({
      type: ['String'],
      description: 'One or more values; options by id',
      extensions: LONG_TEXT,
      resolve: ({ values }) => [...values],
    }),
    field: t.field({ type: FieldObject, nullable: true, description: 'The field', resolve: ({ field }) => field }),
  }),
});

const loadProperties = defineLoader<string, void, Property[]>(findPropertiesOfPosts);

builder.objectField(PostType, 'properties', (t) =>
  t.field({
    type: [PostPropertyObject],
    description: 'Values of the fields that the viewer may see; fields without a value are omitted',
    extensions: reads<PostRow>('id'),
    resolve: async (post, _, context) => (await loadProperties(context, post.id)) ?? [],
  }),
);
