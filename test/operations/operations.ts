import { getNullableType, isListType, isNonNullType } from 'graphql';
import type { GqlOptions, GqlResponse, TestApp } from '../support/app.ts';
import { rootFields, writeCall } from '../support/schema.ts';
import { arrangingRecords } from './arranging.ts';
import { changelogRecords } from './changelog.ts';
import { commentRecords } from './comments.ts';
import { customerRecords } from './customers.ts';
import { peopleRecords } from './people.ts';
import { postRecords } from './posts.ts';
import { queryRecords } from './queries.ts';
import { type Argument, id, type MutationRecord, type MutationRecords, type Operation, text, words } from './record.ts';

const typed: MutationRecords = {
  ...postRecords,
  ...commentRecords,
  ...changelogRecords,
  ...arrangingRecords,
  ...customerRecords,
  ...peopleRecords,
};

/** Every mutation with its record. A new one has its record beside those of the same noun. */
export const mutations = typed as unknown as Readonly<Record<string, MutationRecord<Record<string, unknown>>>>;
export const operations = { ...mutations, ...queryRecords } as Readonly<
  Record<string, Operation<Record<string, unknown>>>
>;

/** An operation with its arguments. */
export type Call = { name: string; args: Readonly<Record<string, unknown>>; select?: object };

/** A way to try an argument: a call with `<x>` where its value goes. */
export type Trial = Call & { argument: Argument };

const author = (ref: object): [string, object] => ['posts', { where: { author: ref } }];
const option = (given: object): [string, object] => ['createField', { type: 'SELECTION', options: [given] }];
const company = (given: object): [string, object] => [
  'createUser',
  { ssoType: 'SSO', ssoId: 'gus', userId: undefined, ssotype: undefined, companies: [given] },
];
const condition = (given: object): [string, object] => ['createSegment', { conditions: [{ of: 'USER', ...given }] }];
const filter = (given: object): [string, object] => ['posts', { filters: [given] }];

/** Fields of inputs, arguments within results, and which call has them where. */
const inputs: Readonly<Record<string, readonly [Argument, [name: string, args: object, select?: object]]>> = {
  'UserRef(id)': [id('user'), ['upvotePost', { voter: { id: '<x>' } }]],
  'UserRef(ssotype)': [words(), author({ ssotype: '<x>', userId: 'ada' })],
  'UserRef(userId)': [words(), author({ ssotype: 'SSO', userId: '<x>' })],
  'UserRef(email)': [words(), author({ email: '<x>' })],
  'PostFilter(is)': [id('status'), filter({ type: 'STATUS', is: '<x>' })],
  'PostFilter(label)': [words(), filter({ type: 'FIELD', label: '<x>' })],
  'PostFilter(empty)': [words(), filter({ type: 'FIELD', label: 'Size', empty: '<x>' })],
  'PostWhere(statusIds)': [id('status'), ['posts', { where: { statusIds: ['<x>'] } }]],
  'PostWhere(tagIds)': [id('tag'), ['posts', { where: { tagIds: ['<x>'] } }]],
  'ViewConditionInput(values)': [words(), ['createView', { conditions: [{ parameter: 'TAG', values: ['<x>'] }] }]],
  'PostWhere(externalId)': [words(), ['posts', { where: { externalId: '<x>' } }]],
  'Post.demand(segment)': [
    id('segment'),
    ['post', { id: '<post>' }, { demand: { $args: { segment: '<x>' }, people: true } }],
  ],
  'CompanyInput(id)': [text(1, 255), company({ id: '<x>' })],
  'CompanyInput(name)': [text(1, 100), company({ id: 'a', name: '<x>' })],
  'CompanyInput(plan)': [text(0, 100), company({ id: 'a', plan: '<x>' })],
  'SegmentConditionInput(attribute)': [text(1, 100), condition({ attribute: '<x>', comparison: 'IS_SET' })],
  'SegmentConditionInput(values)': [text(1, 200), condition({ attribute: 'a', comparison: 'IS', values: ['<x>'] })],
  'FieldOptionInput(id)': [text(1, 100), option({ name: 'O', id: '<x>' })],
  'FieldOptionInput(name)': [text(1, 100), option({ name: '<x>' })],
  'FieldOptionInput(color)': [words(), option({ name: 'O', color: '<x>' })],
  'PostPropertyInput(parent)': [id('field'), ['updatePost', { properties: [{ parent: '<x>', values: ['V'] }] }]],
  'PostPropertyInput(values)': [text(0, 500), ['updatePost', { properties: [{ parent: '<field>', values: ['<x>'] }] }]],
};

/** How to try each argument that takes an id or a text, by its name such as `Mutation.createPost(title)`. */
export const trials: ReadonlyMap<string, Trial> = new Map([
  ...Object.entries(operations).flatMap(([name, { args }]) =>
    Object.entries(args).flatMap(([key, argument = {}]) => {
      if (!argument.id && !argument.text && !argument.isIgnored) return [];
      const value = isList(name, key) ? ['<x>'] : '<x>';
      const root = name in mutations ? 'Mutation' : 'Query';
      return [
        [`${root}.${name}(${key})`, { ...callOf(name, { ...argument.beside, [key]: value }), argument }] as const,
      ];
    }),
  ),
  ...Object.entries(inputs).map(
    ([key, [argument, [name, args, select]]]) =>
      [key, { ...callOf(name, args), ...(select && { select }), argument }] as const,
  ),
]);

/** A call with the sample arguments, and these instead or beside. */
export function callOf(name: string, args: object = {}): Call {
  const samples = Object.entries(operations[name]?.args ?? {}).flatMap(([key, argument = {}]) => {
    if (argument.sample !== undefined) return [[key, argument.sample]];
    const isNeeded = isNonNullType(rootFields[name]?.args.find((arg) => arg.name === key)?.type);
    const value = argument.id ? `<${argument.id.kind}>` : 'T';
    return isNeeded ? [[key, isList(name, key) ? [value] : value]] : [];
  });
  return { name, args: { ...Object.fromEntries(samples), ...args } };
}

function isList(name: string, key: string): boolean {
  const type = rootFields[name]?.args.find((arg) => arg.name === key)?.type;
  return isListType(type && getNullableType(type));
}

/** Makes what a `<name>` in the arguments of a call stands for. */
export type Make = (name: string) => string | Promise<string>;

/** Sends a call with what the names in it stand for. */
export async function carryOut(app: TestApp, call: Call, make: Make, options?: GqlOptions): Promise<GqlResponse> {
  const filled = await fillIn({ args: call.args, ...(call.select && { select: call.select }) }, make);
  const { document, variables } = writeCall(call.name, filled.args, filled.select);
  return app.gql(document, variables, options);
}

/** The arguments with what `<names>` in them stand for; a name stands for one thing however often it is there. */
// biome-ignore lint/suspicious/noExplicitAny: it has the shape of what is given
export async function fillIn(args: object, make: Make): Promise<any> {
  const found = new Map<string, string>();
  for (const [, name = ''] of JSON.stringify(args).matchAll(/<([a-z ]+)>/g)) {
    if (!found.has(name)) found.set(name, await make(name));
  }
  return JSON.parse(JSON.stringify(args), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/<([a-z ]+)>/g, (_, name) => found.get(name) ?? '') : value,
  );
}
