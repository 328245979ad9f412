import { requireOwnBoard } from '../../identity/board/addresses.ts';
import { BoardType } from '../../identity/board/board.graphql.ts';
import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { builder, describeValues, withoutActor } from '../../platform/graphql/builder.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { type Field, findField, listFields } from './fields.ts';
import { createField, deleteField, rearrangeFields, updateField } from './managing.ts';
import type { FieldOption } from './options.ts';

export const FieldTypeEnum = builder.enumType('FieldType', {
  description: 'What values a field accepts',
  values: describeValues({
    CHECKBOX: '`true` or `false`',
    DATE: 'A day, for example 2026-11-21',
    NUMBER: 'A decimal number, kept exactly',
    SELECTION: 'One of the options',
    SELECTION_MULTI: 'Any number of the options',
    TEXT: 'Text on one line, up to 500 characters',
    TEXT_LONG: 'Text of up to 20,000 characters',
    URL: 'An http or https URL of up to 2,000 characters',
  }),
});
const FieldVisibilityEnum = builder.enumType('FieldVisibility', {
  description: 'Who sees a field and its values',
  values: describeValues({ PUBLIC: 'Everyone who may see the post', TEAM: 'Moderators, admins and owners' }),
});

const FieldOptionObject = builder.objectRef<FieldOption>('FieldOption').implement({
  description: 'An option of a selection field',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the option, used as the value on posts' }),
    name: t.exposeString('name', { description: 'Name of the option' }),
    color: t.exposeString('color', { nullable: true, description: 'CSS hex color; null if none was set' }),
  }),
});

export const FieldObject = builder.objectRef<Field>('Field').implement({
  description: 'A custom field of the board for posts',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the field' }),
    label: t.exposeString('label', { description: 'Label, unique on the board' }),
    description: t.exposeString('description', { nullable: true, description: 'Help text; null if none was given' }),
    type: t.expose('type', { type: FieldTypeEnum, description: 'What values the field accepts' }),
    isRequired: t.boolean({
      description: 'Whether new posts need a value, if their author may see the field',
      resolve: (field) => field.is_required === 1,
    }),
    isOnForm: t.boolean({
      description: 'Whether the form for new ideas on the pages asks for it, if its viewer may see the field',
      resolve: (field) => field.is_on_form === 1,
    }),
    allowUrlPrefill: t.boolean({
      description: 'Hint for clients: whether the field may be filled in from URL parameters',
      resolve: (field) => field.allow_url_prefill === 1,
    }),
    locations: t.field({
      type: ['String'],
      description: 'Hint for clients: where to show the field',
      resolve: (field) => [...field.locations],
    }),
    visibility: t.expose('visibility', { type: FieldVisibilityEnum, description: 'Who sees the field and its values' }),
    options: t.field({
      type: [FieldOptionObject],
      description: 'Options of a selection field; empty for other types',
      resolve: (field) => [...field.options],
    }),
  }),
});

const FieldPayload = builder.objectRef<Field>('FieldPayload').implement({
  description: 'The field after the change',
  fields: (t) => ({ node: t.field({ type: FieldObject, description: 'The field', resolve: (field) => field }) }),
});

const FieldOptionInput = builder.inputType('FieldOptionInput', {
  description:
    'An option of a selection field. Matches an existing option by `id`, or by `name` without one; otherwise a new option is added',
  fields: (t) => ({
    id: t.string({ description: '1 to 100 characters; default: a new id' }),
    name: t.string({ required: true, description: '1 to 100 characters' }),
    color: t.string({ description: 'CSS hex color, `#rgb` or `#rrggbb`' }),
  }),
});

const loadFieldsOfBoard = defineLoader<string, void, Field[]>(
  async ({ db, actor }, boardIds) =>
    new Map(await Promise.all(boardIds.map(async (id) => [id, await listFields(db.read, id, actor)] as const))),
);

builder.objectField(BoardType, 'fields', (t) =>
  t.field({
    type: [FieldObject],
    description: 'Custom fields of the board that the viewer may see, in their order',
    resolve: async (board, _, context) => (await loadFieldsOfBoard(context, board.id)) ?? [],
  }),
);

builder.queryFields((t) => ({
  field: t.field({
    type: FieldObject,
    nullable: true,
    description: 'The field with this id; null if there is none that the viewer may see',
    args: { id: t.arg.string({ required: true, description: 'Id of the field' }) },
    resolve: (_, { id }, context) => findField(context, id),
  }),
  listFields: t.field({
    type: [FieldObject],
    extensions: withoutActor,
    description: 'All custom fields that the viewer may see, in their order',
    resolve: (_, __, { db, board, actor }) => listFields(db.read, board.id, actor),
  }),
}));

builder.mutationFields((t) => ({
  createField: t.field({
    type: FieldPayload,
    description: "For admins. Creates a custom field after the board's last one; a board has at most 50",
    args: {
      boardId: t.arg.string({ required: true, description: "The key's own board, by `id` or `pid`" }),
      id: t.arg.string({ description: 'A UUID of your choice; default: a new one' }),
      allowUrlPrefill: t.arg.boolean({ description: 'Hint for clients; default: false' }),
      label: t.arg.string({
        required: true,
        description: '1 to 100 characters; labels must differ by more than case',
      }),
      description: t.arg.string({ description: 'Help text, at most 1,000 characters' }),
      isRequired: t.arg.boolean({ description: 'Whether new posts need a value; default: false' }),
      isOnForm: t.arg.boolean({
        description: 'Whether the form for new ideas on the pages asks for it; default: false',
      }),
      locations: t.arg.stringList({ description: 'Hint for clients: at most 20 texts of 1 to 100 characters' }),
      options: t.arg({
        type: [FieldOptionInput],
        required: { list: false, items: false },
        description: '1 to 100 options; required for SELECTION and SELECTION_MULTI',
      }),
      type: t.arg({ type: FieldTypeEnum, required: true, description: 'What values the field accepts' }),
      visibility: t.arg({ type: FieldVisibilityEnum, description: 'Default: PUBLIC' }),
    },
    async resolve(_, { boardId, ...input }, context) {
      await requireOwnBoard(context.db.read, context.board, boardId);
      return createField(requireActorContext(context), input);
    },
  }),
  updateField: t.field({
    type: FieldPayload,
    description: 'For admins. Updates the given properties of a field',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the field' }),
      boardId: t.arg.string({ description: "The key's own board, by `id` or `pid`; may be left out" }),
      allowUrlPrefill: t.arg.boolean({ description: 'Hint for clients' }),
      label: t.arg.string({ description: 'New label, 1 to 100 characters' }),
      description: t.arg.string({ description: 'New help text; null removes it' }),
      isRequired: t.arg.boolean({ description: 'Whether new posts need a value' }),
      isOnForm: t.arg.boolean({ description: 'Whether the form for new ideas on the pages asks for it' }),
      locations: t.arg.stringList({ description: 'Hint for clients: at most 20 texts of 1 to 100 characters' }),
      options: t.arg({
        type: [FieldOptionInput],
        required: { list: false, items: false },
        description:
          'All options that the field should have; an option left out is removed from the posts that have it',
      }),
      postId: t.arg.string({
        description: 'Ignored',
        deprecationReason: 'Accepted for existing clients; has no effect',
      }),
      type: t.arg({
        type: FieldTypeEnum,
        description: 'New type; once posts have values, only a type that accepts all of them',
      }),
      visibility: t.arg({ type: FieldVisibilityEnum, description: 'Who sees the field and its values' }),
    },
    async resolve(_, { id, boardId, postId, ...changes }, context) {
      await requireOwnBoard(context.db.read, context.board, boardId);
      return updateField(requireActorContext(context), id, changes);
    },
  }),
  deleteField: t.field({
    type: FieldPayload,
    description: 'For admins. Deletes a field and its values on all posts, without an event',
    args: { id: t.arg.string({ required: true, description: 'Id of the field' }) },
    resolve: (_, { id }, context) => deleteField(requireActorContext(context), id),
  }),
}));

builder.mutationField('rearrangeFields', (t) =>
  t.boolean({
    description: 'For admins. Reorders the fields; those not listed keep their positions. Always returns true',
    args: { ids: t.arg.stringList({ required: true, description: 'Ids of fields in their new order' }) },
    async resolve(_, { ids }, context) {
      await rearrangeFields(requireActorContext(context), ids);
      return true;
    },
  }),
);
