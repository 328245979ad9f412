import { builder, describeValues } from '../../platform/graphql/builder.ts';
import { defineLoader } from '../../platform/graphql/loader.ts';
import type { Condition } from '../companies/conditions.ts';
import type { Segment } from '../companies/segment.ts';
import { may } from '../users/authority.ts';
import { requireActorContext } from '../users/context.graphql.ts';
import { countSegments, createSegment, deleteSegment, listSegments, updateSegment } from './segments.ts';

const SubjectEnum = builder.enumType('SegmentSubject', {
  description: 'Whose attribute a condition compares',
  values: describeValues({
    USER: 'That of the user: an attribute, or `name`, `email`, `dateCreated`',
    COMPANY: 'That of a company of theirs: an attribute, or `id`, `name`, `plan`, `monthlyRevenue`, `dateCreated`',
  }),
});

const ComparisonEnum = builder.enumType('SegmentComparison', {
  description: 'How a condition compares. Upper and lower case of the letters A to Z are the same',
  values: describeValues({
    IS: 'It is one of the values',
    IS_NOT: 'It is none of the values, or missing',
    CONTAINS: 'It contains one of the values',
    AT_LEAST: 'It is a number, and at least the value',
    AT_MOST: 'It is a number, and at most the value',
    SINCE: 'It is on the day of the value or later, such as 2027-01-31, by UTC',
    BEFORE: 'It is before the day of the value',
    IS_SET: 'There is one',
    IS_NOT_SET: 'There is none',
  }),
});

const MatchEnum = builder.enumType('SegmentMatch', {
  description: 'How several conditions combine. Those on companies must be met by one and the same company',
  values: describeValues({ ALL: 'All of them must be met', ANY: 'One is enough' }),
});

const ConditionObject = builder.objectRef<Condition>('SegmentCondition').implement({
  description: 'One condition on people',
  fields: (t) => ({
    of: t.field({ type: SubjectEnum, description: 'Whose attribute is compared', resolve: ({ of }) => of }),
    attribute: t.exposeString('attribute', { description: 'Name of the attribute' }),
    comparison: t.field({ type: ComparisonEnum, description: 'How', resolve: ({ comparison }) => comparison }),
    values: t.stringList({
      description: 'With what; empty for IS_SET and IS_NOT_SET',
      resolve: ({ values }) => [...values],
    }),
  }),
});

const SegmentObject = builder.objectRef<Segment>('Segment').implement({
  description: 'A saved filter over the attributes of users and of their companies; for the team',
  fields: (t) => ({
    id: t.exposeString('id', { description: 'Id of the segment' }),
    name: t.exposeString('name', { description: 'Name, 1 to 60 characters' }),
    match: t.field({
      type: MatchEnum,
      description: 'How the conditions combine',
      resolve: ({ filter }) => filter.match,
    }),
    conditions: t.field({
      type: [ConditionObject],
      description: 'Conditions on people, 1 to 10',
      resolve: ({ filter }) => [...filter.conditions],
    }),
  }),
});

const loadCounts = defineLoader<string, void, number>(async (context, filters) => {
  const counts = await countSegments(
    requireActorContext(context),
    filters.map((filter) => JSON.parse(filter)),
  );
  return new Map(filters.map((filter, n) => [filter, counts[n] ?? 0]));
});

builder.objectField(SegmentObject, 'userCount', (t) =>
  t.int({
    description: 'Number of people in it; users with isApiUser are not counted',
    resolve: async ({ filter }, _, context) => (await loadCounts(context, JSON.stringify(filter))) ?? 0,
  }),
);

builder.queryField('segments', (t) =>
  t.field({
    type: [SegmentObject],
    description: 'The segments of the board, by name; none for members without isApiUser',
    resolve(_, __, context) {
      const acting = requireActorContext(context);
      return may(acting.actor, 'customer.see') ? listSegments(acting) : [];
    },
  }),
);

const ConditionInput = builder.inputType('SegmentConditionInput', {
  description: 'One condition on people',
  fields: (t) => ({
    of: t.field({ type: SubjectEnum, required: true, description: 'Whose attribute is compared' }),
    attribute: t.string({ required: true, description: 'Name of the attribute, 1 to 100 characters' }),
    comparison: t.field({ type: ComparisonEnum, required: true, description: 'How' }),
    values: t.stringList({ description: 'With what: 1 to 50 texts; none for IS_SET and IS_NOT_SET' }),
  }),
});

const conditionsOf = (
  given: readonly (Omit<Condition, 'values'> & { values?: readonly string[] | null | undefined })[],
) => given.map((condition) => ({ ...condition, values: condition.values ?? [] }));

builder.mutationFields((t) => ({
  createSegment: t.field({
    type: SegmentObject,
    description: 'For moderators. Creates a segment; names must differ by more than case',
    args: {
      name: t.arg.string({ required: true, description: '1 to 60 characters' }),
      match: t.arg({ type: MatchEnum, description: 'How the conditions combine; default: ALL' }),
      conditions: t.arg({ type: [ConditionInput], required: true, description: '1 to 10 conditions' }),
    },
    resolve: (_, { name, match, conditions }, context) =>
      createSegment(requireActorContext(context), {
        name,
        match: match ?? 'ALL',
        conditions: conditionsOf(conditions),
      }),
  }),
  updateSegment: t.field({
    type: SegmentObject,
    description: 'For moderators. Updates the given properties of a segment',
    args: {
      id: t.arg.string({ required: true, description: 'Id of the segment' }),
      name: t.arg.string({ description: 'New name, 1 to 60 characters' }),
      match: t.arg({ type: MatchEnum, description: 'How the conditions combine' }),
      conditions: t.arg({ type: [ConditionInput], description: 'Replaces all conditions' }),
    },
    resolve: (_, { id, name, match, conditions }, context) =>
      updateSegment(requireActorContext(context), id, {
        name,
        match,
        conditions: conditions && conditionsOf(conditions),
      }),
  }),
  deleteSegment: t.field({
    type: SegmentObject,
    description: 'For moderators. Deletes a segment; the people in it stay',
    args: { id: t.arg.string({ required: true, description: 'Id of the segment' }) },
    resolve: (_, { id }, context) => deleteSegment(requireActorContext(context), id),
  }),
}));
