import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildSchema, isEnumType, isInputObjectType, isNonNullType, isObjectType } from 'graphql';
import '../../src/api/graphql/features.ts';
import { makeSchema, printSdl } from '../../src/api/graphql/schema.ts';
import { findMissing } from './superset.ts';

const core = readFileSync(new URL('core.graphql', import.meta.url), 'utf8');
const contract = buildSchema(core);

test('the schema has everything that the public contract promises', () => {
  assert.deepEqual(findMissing(contract, buildSchema(printSdl(makeSchema()))), []);
});

test('every mutation can fail alone: its answer may be null', () => {
  const fields = Object.values(makeSchema().getMutationType()?.getFields() ?? {});
  assert.ok(fields.length > 30);
  assert.deepEqual(
    fields.filter(({ type }) => isNonNullType(type)).map(({ name }) => name),
    [],
  );
});

test('everything in the schema has a description', () => {
  const types = Object.values(makeSchema().getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const parts = types.flatMap((type): Described[] => {
    if (isEnumType(type)) return [type, ...type.getValues()];
    if (isInputObjectType(type)) return [type, ...Object.values(type.getFields())];
    const fields = isObjectType(type) ? Object.values(type.getFields()) : [];
    return [type, ...fields, ...fields.flatMap(({ args }) => args)];
  });
  assert.ok(parts.length > 500);
  assert.deepEqual(parts.filter(({ description }) => !description?.trim()).map(String), []);
});

test('a second spelling of something names the one to use', () => {
  const deprecated = printSdl(makeSchema()).match(/@deprecated\(reason: "[^"]*"\)/g) ?? [];
  assert.ok(deprecated.length >= 12);
  assert.deepEqual(
    deprecated.filter((directive) => !/"(Use `[^`]+`|Accepted for existing clients; has no effect)"/.test(directive)),
    [],
  );
});

type Described = { description?: string | null | undefined };

const damages: [what: string, from: RegExp, to: string, found: string][] = [
  ['a type is gone', /^type Unused \{[^}]*}/m, '', 'type Unused is missing'],
  ['a field is gone', /^ {2}commentCount: Int!$/m, '', 'field Post.commentCount is missing'],
  ['an argument is gone', /, externalId: String(?=\): Post!)/, '', 'input Mutation.createPost(externalId) is missing'],
  ['an enum value is gone', /^ {2}MOST_COMMENTED$/m, '', 'value PostSortOrder.MOST_COMMENTED is missing'],
  ['a field of an input is gone', /^ {2}empty: String$/m, '', 'input PostFilter(empty) is missing'],
  ['a field has become nullable', /isPinned: Boolean!/, 'isPinned: Boolean', 'Post.isPinned is Boolean, not Boolean!'],
  ['a field has become non-null', /excerpt: String/, 'excerpt: String!', 'Post.excerpt is String!, not String'],
  [
    'items of a list have become nullable',
    /permissions: \[Permission!]!/,
    'permissions: [Permission]!',
    'Viewer.permissions is [Permission]!, not [Permission!]!',
  ],
  [
    'an argument has become non-null',
    /updatePost\(id: String!, title: String,/,
    'updatePost(id: String!, title: String!,',
    'Mutation.updatePost(title) is String!, not String',
  ],
  ['a query has become nullable', /listTags: \[Tag!]!/, 'listTags: [Tag!]', 'Query.listTags is [Tag!], not [Tag!]!'],
  [
    'a mutation gives another type',
    /deleteTag\(id: String!\): Tag!/,
    'deleteTag(id: String!): Board',
    'Mutation.deleteTag is Board, not Tag!',
  ],
  ['a field has another type', /number: Int!/, 'number: Float!', 'Post.number is Float!, not Int!'],
  ['a type is of another kind', /^enum Plan \{[^}]*}/m, 'scalar Plan', 'Plan is another kind of type'],
  [
    'a new argument must be given',
    /restorePost\(/,
    'restorePost(reason: String!, ',
    'Mutation.restorePost(reason) is demanded by the schema only',
  ],
  [
    'a new field of an input must be given',
    /^input UserRef \{/m,
    'input UserRef {\n  phone: String!',
    'UserRef(phone) is demanded by the schema only',
  ],
];

// A type that nothing refers to can be taken away alone.
const promised = `${core}\ntype Unused { id: String! }\n`;

for (const [what, from, to, found] of damages) {
  test(`the comparison notices when ${what}`, () => {
    const damaged = promised.replace(from, to);
    assert.deepEqual(findMissing(buildSchema(promised), buildSchema(damaged)), [found]);
  });
}

test('the comparison accepts types, fields, values and optional arguments that were added', () => {
  const grown = core
    .replace(/^enum Plan \{/m, 'type Mood { id: String! }\n\nenum Plan {\n  TEAM')
    .replace(/^type Board \{/m, 'type Board {\n  moods: [Mood!]!')
    .replace('restorePost(', 'restorePost(reason: String, loud: Boolean! = false, ');
  assert.deepEqual(findMissing(contract, buildSchema(grown)), []);
  assert.equal(findMissing(buildSchema(grown), contract).length, 5);
});
