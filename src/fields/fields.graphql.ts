import { BoardType } from '../board/board.graphql.ts';
import { requireOwnBoard } from '../board/board.ts';
import { builder, withoutActor } from '../graphql/builder.ts';
import { requireCall } from '../graphql/context.ts';
import { defineLoader } from '../graphql/loader.ts';
import { type Field, fieldTypes, fieldVisibilities, findField, listFields } from './fields.ts';
import { createField, deleteField, updateField } from './managing.ts';
import type { FieldOption } from './options.ts';

export const FieldTypeEnum = builder.enumType('FieldType', { values: fieldTypes });
const FieldVisibilityEnum = builder.enumType('FieldVisibility', {
  description: 'TEAM: only moderators, admins and owners see the field, and what posts have in it',
  values: fieldVisibilities,
});

const FieldOptionObject = builder.objectRef<FieldOption>('FieldOption').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    name: t.exposeString('name'),
    color: t.exposeString('color', { nullable: true, description: 'CSS hex colour' }),
  }),
});

export const FieldObject = builder.objectRef<Field>('Field').implement({
  fields: (t) => ({
    id: t.exposeString('id'),
    label: t.exposeString('label'),
    description: t.exposeString('description', { nullable: true }),
    type: t.expose('type', { type: FieldTypeEnum }),
    isRequired: t.boolean({
      description: 'Whether a new post must have a value, of those who see the field',
      resolve: (field) => field.is_required === 1,
    }),
    allowUrlPrefill: t.boolean({
      description: 'Whether clients may fill the field in from an address',
      resolve: (field) => field.allow_url_prefill === 1,
    }),
    locations: t.field({
      type: ['String'],
      description: 'Where clients show the field, in their words',
      resolve: (field) => [...field.locations],
    }),
    visibility: t.expose('visibility', { type: FieldVisibilityEnum }),
    options: t.field({ type: [FieldOptionObject], resolve: (field) => [...field.options] }),
  }),
});

const FieldPayload = builder.objectRef<Field>('FieldPayload').implement({
  fields: (t) => ({ node: t.field({ type: FieldObject, resolve: (field) => field }) }),
});

const FieldOptionInput = builder.inputType('FieldOptionInput', {
  description: 'An option that is there by its id, or without one by its name; any other is a new one',
  fields: (t) => ({
    id: t.string({ description: '1 to 100 characters; default: a new id' }),
    name: t.string({ required: true, description: '1 to 100 characters' }),
    color: t.string({ description: 'CSS hex colour, `#rgb` or `#rrggbb`' }),
  }),
});

const loadFieldsOfBoard = defineLoader<string, void, Field[]>(
  async ({ db, actor }, boardIds) =>
    new Map(await Promise.all(boardIds.map(async (id) => [id, await listFields(db.read, id, actor)] as const))),
);

builder.objectField(BoardType, 'fields', (t) =>
  t.field({
    type: [FieldObject],
    description: 'The oldest first',
    resolve: async (board, _, context) => (await loadFieldsOfBoard(context, board.id)) ?? [],
  }),
);

builder.queryFields((t) => ({
  field: t.field({
    type: FieldObject,
    nullable: true,
    description: 'Null when no such field is visible to the caller',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, { db, board, actor }) => findField(db.read, board.id, id, actor),
  }),
  listFields: t.field({
    type: [FieldObject],
    extensions: withoutActor,
    description: 'The oldest first',
    resolve: (_, __, { db, board, actor }) => listFields(db.read, board.id, actor),
  }),
}));

builder.mutationFields((t) => ({
  createField: t.field({
    type: FieldPayload,
    description: 'For admins. A board has at most 50 fields.',
    args: {
      boardId: t.arg.string({ required: true, description: 'The board of the key, by its id or pid' }),
      id: t.arg.string({ description: 'A UUID of your own; default: a new one' }),
      allowUrlPrefill: t.arg.boolean({ description: 'Default: false' }),
      label: t.arg.string({
        required: true,
        description: '1 to 100 characters; labels differ by more than upper and lower case',
      }),
      description: t.arg.string({ description: 'At most 1,000 characters' }),
      isRequired: t.arg.boolean({ description: 'Default: false' }),
      locations: t.arg.stringList({ description: 'At most 20 texts of 1 to 100 characters' }),
      options: t.arg({
        type: [FieldOptionInput],
        required: { list: false, items: false },
        description: 'For selections, which need them: 1 to 100',
      }),
      type: t.arg({ type: FieldTypeEnum, required: true }),
      visibility: t.arg({ type: FieldVisibilityEnum, description: 'Default: PUBLIC' }),
    },
    resolve(_, { boardId, ...input }, context) {
      requireOwnBoard(context.board, boardId);
      return createField(requireCall(context), input);
    },
  }),
  updateField: t.field({
    type: FieldPayload,
    description: 'For admins. Changes what is given; a description of null takes it away.',
    args: {
      id: t.arg.string({ required: true }),
      boardId: t.arg.string({ description: 'The board of the key, by its id or pid' }),
      allowUrlPrefill: t.arg.boolean(),
      label: t.arg.string(),
      description: t.arg.string(),
      isRequired: t.arg.boolean(),
      locations: t.arg.stringList(),
      options: t.arg({
        type: [FieldOptionInput],
        required: { list: false, items: false },
        description: 'All that the field shall have; one that is missing goes from the posts that have it',
      }),
      postId: t.arg.string({ description: 'Accepted for clients that send it; it changes nothing' }),
      type: t.arg({
        type: FieldTypeEnum,
        description: 'Once posts have values, only a type that takes every such value',
      }),
      visibility: t.arg({ type: FieldVisibilityEnum }),
    },
    resolve(_, { id, boardId, postId, ...changes }, context) {
      requireOwnBoard(context.board, boardId);
      return updateField(requireCall(context), id, changes);
    },
  }),
  deleteField: t.field({
    type: FieldPayload,
    description: 'For admins. Deletes the field with all that posts have in it, without an event.',
    args: { id: t.arg.string({ required: true }) },
    resolve: (_, { id }, context) => deleteField(requireCall(context), id),
  }),
}));
