import { requireActorContext } from '../../identity/users/context.graphql.ts';
import { loadUser, UserType } from '../../identity/users/users.graphql.ts';
import { badRequest } from '../../platform/errors.ts';
import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import { countViews, MAX_IN_VIEW } from './counting.ts';
import {
  createView,
  deleteView,
  type GivenConditions,
  MAX_OWN,
  MAX_SHARED,
  MAX_VIEW_NAME,
  rearrangeViews,
  updateView,
} from './managing.ts';
import { describeParameter, type LeftOut, type ParameterName, parameterNames } from './parameters.ts';
import { listViews, type View } from './views.ts';

const ViewKindEnum = builder.enumType('ViewKind', {
  description: 'Which list a view filters',
  values: describeValues({
    TRIAGE: 'A list of triage',
    IDEAS: "The board's list of ideas",
    PEOPLE: 'The list of users',
  }),
});

const ViewParameterEnum = builder.enumType('ViewParameter', {
  description: 'What a view filters by',
  values: Object.fromEntries(
    parameterNames.map((name) => [name.toUpperCase(), { value: name, description: describeParameter(name) }]),
  ) as Record<string, { value: ParameterName; description: string }>,
});

const LeftOutReason = builder.enumType('ViewLeftOutReason', {
  description: 'Why a view does without a value of its filter',
  values: describeValues({
    GONE: 'It names something that no longer exists, or that the viewer may not see',
    UNKNOWN: 'This version of the server, or this list, has no such parameter',
  } satisfies Record<LeftOut['reason'], string>),
});

type Condition = { parameter: ParameterName; values: readonly string[] };

const ViewCondition = builder.objectRef<Condition>('ViewCondition').implement({
  description: 'One condition of a view',
  fields: (t) => ({
    parameter: t.expose('parameter', { type: ViewParameterEnum, description: 'What is compared' }),
    values: t.exposeStringList('values', { description: 'With what; one of the values is enough' }),
  }),
});

const ViewLeftOut = builder.objectRef<LeftOut>('ViewLeftOut').implement({
  description: 'A value that a view does without',
  fields: (t) => ({
    parameter: t.exposeString('parameter', { description: 'Name of the parameter' }),
    value: t.exposeString('value', { description: 'The value, such as the id of a tag that was deleted' }),
    reason: t.expose('reason', { type: LeftOutReason, description: 'Why' }),
  }),
});

const loadCount = defineLoader<View, void, number>(async (context, views) => {
  const acting = requireActorContext(context);
  const counts = await countViews(acting, views);
  return new Map(views.map((view) => [view, counts.get(view.row.id) ?? 0]));
});

const ViewType = builder.objectRef<View>('View').implement({
  description: 'A filter of a list of the team, kept under a name',
  fields: (t) => ({
    id: t.string({ description: 'Id of the view', resolve: ({ row }) => row.id }),
    kind: t.field({ type: ViewKindEnum, description: 'The list', resolve: ({ row }) => row.kind }),
    name: t.string({
      description: `Name, 1 to ${MAX_VIEW_NAME} characters; in its list no other view has it`,
      resolve: ({ row }) => row.name,
    }),
    isShared: t.boolean({
      description: 'Whether the whole team sees it; otherwise only its owner',
      resolve: ({ row }) => row.is_shared === 1,
    }),
    owner: t.field({
      type: UserType,
      nullable: true,
      description: 'User who made it; null once that user has been erased',
      resolve: ({ row }, _, context, info) => loadUser(context, row.owner_id, info),
    }),
    conditions: t.field({
      type: [ViewCondition],
      description: 'The filter, as it works for the viewer now',
      resolve: ({ conditions }) =>
        Object.entries(conditions).map(([parameter, values]) => ({ parameter: parameter as ParameterName, values })),
    }),
    leftOut: t.field({
      type: [ViewLeftOut],
      description: 'What the filter does without, and why',
      resolve: ({ leftOut }) => leftOut,
    }),
    count: t.int({
      description: `Number of ideas or users in it that the viewer may see; ${MAX_IN_VIEW + 1} for more than ${MAX_IN_VIEW}`,
      resolve: async (view, _, context) => (await loadCount(context, view)) ?? 0,
    }),
    dateCreated: t.field({ type: 'DateTime', description: 'When it was made', resolve: ({ row }) => row.date_created }),
    dateUpdated: t.field({
      type: 'DateTime',
      description: 'When it was last changed',
      resolve: ({ row }) => row.date_updated,
    }),
  }),
});

builder.queryField('views', (t) =>
  t.field({
    type: [ViewType],
    description: `The shared views in their order, and then the viewer's own, at most ${MAX_SHARED + MAX_OWN}; empty for users outside the team`,
    args: { kind: t.arg({ type: ViewKindEnum, description: 'Only those of this list' }) },
    resolve: (_, { kind }, context) => listViews(requireActorContext(context), kind ?? null),
  }),
);

const ViewConditionInput = builder.inputType('ViewConditionInput', {
  description: 'One condition of a view; several are combined with AND',
  fields: (t) => ({
    parameter: t.field({ type: ViewParameterEnum, required: true, description: 'What to compare' }),
    values: t.stringList({ required: true, description: 'With what; one of the values is enough' }),
  }),
});

/** @throws BAD_REQUEST if a parameter is there twice */
function conditionsFrom(given: readonly Condition[]): GivenConditions {
  const names = given.map(({ parameter }) => parameter);
  if (new Set(names).size < names.length) throw badRequest('conditions names a parameter more than once', 'conditions');
  return Object.fromEntries(given.map(({ parameter, values }) => [parameter, values]));
}

builder.mutationFields((t) => ({
  createView: t.field({
    type: ViewType,
    description: `For moderators. Keeps a filter under a name; at most ${MAX_OWN} for oneself, and ${MAX_SHARED} of a board are shared`,
    args: {
      kind: t.arg({ type: ViewKindEnum, required: true, description: 'The list' }),
      name: t.arg.string({ required: true, description: `1 to ${MAX_VIEW_NAME} characters` }),
      isShared: t.arg.boolean({ description: 'Whether the whole team sees it; default: false' }),
      conditions: t.arg({ type: [ViewConditionInput], required: true, description: 'The filter' }),
    },
    resolve: (_, { conditions, ...input }, context) =>
      createView(requireActorContext(context), { ...input, conditions: conditionsFrom(conditions) }),
  }),
  updateView: t.field({
    type: ViewType,
    description: 'For moderators. Updates the given properties of a view of their own or of a shared one',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the view' }),
      name: t.arg.string({ description: `New name, 1 to ${MAX_VIEW_NAME} characters` }),
      isShared: t.arg.boolean({ description: 'Whether the whole team sees it; only its owner can change this' }),
      conditions: t.arg({ type: [ViewConditionInput], description: 'The new filter, which replaces the old one' }),
    },
    resolve: (_, { id, conditions, ...changes }, context) =>
      updateView(requireActorContext(context), id, {
        ...changes,
        conditions: conditions && conditionsFrom(conditions),
      }),
  }),
  deleteView: t.field({
    type: ViewType,
    description: 'For moderators. Deletes a view of their own or a shared one',
    args: { id: t.arg.string({ required: true, description: 'Id of the view' }) },
    resolve: (_, { id }, context) => deleteView(requireActorContext(context), id),
  }),
  rearrangeViews: t.field({
    type: [ViewType],
    description:
      'For moderators. Puts shared views of one list, or own ones, into this order, and returns all of that list; those not listed keep their positions',
    args: { ids: t.arg.stringList({ required: true, description: 'Ids of the views' }) },
    async resolve(_, { ids }, context) {
      const acting = requireActorContext(context);
      const { row } = await rearrangeViews(acting, ids);
      return (await listViews(acting, row.kind)).filter((view) => view.row.is_shared === row.is_shared);
    },
  }),
}));
