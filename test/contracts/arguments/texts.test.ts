import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeList } from '../../../src/feedback/posts/attributes.ts';
import { errorCatalogue } from '../../../src/platform/errors.ts';
import { type TestApp, testBoth } from '../../support/app.ts';
import { watchNormalizing } from '../../support/normalizing.ts';
import { textArguments } from './listing.ts';
import { makeRow } from './rows.ts';

/** What takes a text, as a root field with `$x` for it; `$post` and the like are rows that are made for it. */
type ActorContext = {
  field: string;
  /** How many characters it may have; without, it is looked up or chosen from and any may be asked for. */
  length?: [min: number, max: number];
  /** A text of so many characters that it takes. */
  make?: (length: number) => string;
};

const TITLE: [number, number] = [1, 200];
const TEXT: [number, number] = [1, 20_000];

const user = (args: string) => `mutation createUser(ssotype: "SSO", userId: "gus", ${args}) { id }`;

const updateUser = (args: string) => `mutation updateUser(ssoId: "ada", ${args}) { id }`;
const createField = (args: string) => `mutation createField(boardId: $board, ${args}) { node { id } }`;
const updateField = (args: string) => `mutation updateField(id: $field, ${args}) { node { id } }`;
const makeHost = (length: number) =>
  Array.from({ length }, (_, n) => (n % 50 === 49 && n < length - 1 ? '.' : 'b')).join('');
const makeEmail = (length: number) => `a@${makeHost(length - 2)}`;
const makeAddress = (length: number) => `https://${'a'.repeat(Math.max(0, length - 8))}`;

const attributeCalls = Object.fromEntries(
  attributeList
    .filter(({ type }) => type === 'String')
    .map(({ name }) => [
      `Mutation.updatePost(${name})`,
      { field: `mutation updatePost(id: $post, ${name}: $x) { node { id } }` },
    ]),
);

const calls: Record<string, ActorContext> = {
  'Query.user(ssoId)': { field: 'query user(ssoId: $x) { id }' },
  'Query.users(search)': { field: 'query users(search: $x) { id }', length: [0, 100] },
  'Query.posts(search)': { field: 'query posts(search: $x) { totalCount }', length: [0, 200] },
  'Query.votes(ssoId)': { field: 'query votes(ssoId: $x) { hasMore }' },
  'Query.events(types)': { field: 'query events(types: [$x]) { hasMore }' },
  'Query.similarPosts(title)': { field: 'query similarPosts(title: $x) { score }', length: TITLE },
  'Query.similarPosts(text)': { field: 'query similarPosts(title: "T", text: $x) { score }', length: [0, 20_000] },
  'Mutation.createUser(ssotype)': { field: 'mutation createUser(ssotype: $x, userId: "gus") { id }', length: [1, 50] },
  'Mutation.createUser(userId)': { field: 'mutation createUser(ssotype: "SSO", userId: $x) { id }', length: [1, 255] },
  'Mutation.createUser(ssoId)': { field: 'mutation createUser(ssotype: "SSO", ssoId: $x) { id }', length: [1, 255] },
  'Mutation.createUser(name)': { field: user('name: $x'), length: [1, 100] },
  'Mutation.createUser(bio)': { field: user('bio: $x'), length: [0, 1_000] },
  'Mutation.createUser(email)': {
    field: user('email: $x'),
    length: [3, 254],
    make: makeEmail,
  },
  'Mutation.createUser(imageUrl)': {
    field: user('imageUrl: $x'),
    length: [9, 2_048],
    make: makeAddress,
  },
  'Mutation.createPost(title)': { field: 'mutation createPost(title: $x) { id }', length: TITLE },
  'Mutation.createPost(comment)': { field: 'mutation createPost(title: "T", comment: $x) { id }', length: TEXT },
  'Mutation.createPost(externalId)': {
    field: 'mutation createPost(title: "T", externalId: $x) { id }',
    length: [1, 255],
  },
  'Mutation.updatePost(title)': { field: 'mutation updatePost(id: $post, title: $x) { node { id } }', length: TITLE },
  'Mutation.updatePost(comment)': {
    field: 'mutation updatePost(id: $post, comment: $x) { node { id } }',
    length: TEXT,
  },
  ...attributeCalls,
  'Mutation.changePostStatus(comment)': {
    field: 'mutation changePostStatus(postId: $post, statusType: COMPLETED, comment: $x) { id }',
    length: TEXT,
  },
  'Mutation.createComment(text)': { field: 'mutation createComment(postId: $post, text: $x) { id }', length: TEXT },
  'Mutation.updateComment(text)': { field: 'mutation updateComment(id: $comment, text: $x) { id }', length: TEXT },
  'Mutation.createChangelogEntry(title)': { field: 'mutation createChangelogEntry(title: $x) { id }', length: TITLE },
  'Mutation.createChangelogEntry(text)': {
    field: 'mutation createChangelogEntry(title: "T", text: $x) { id }',
    length: [0, 20_000],
  },
  'Mutation.updateChangelogEntry(title)': {
    field: 'mutation updateChangelogEntry(id: $entry, title: $x) { id }',
    length: TITLE,
  },
  'Mutation.updateChangelogEntry(text)': {
    field: 'mutation updateChangelogEntry(id: $entry, text: $x) { id }',
    length: [0, 20_000],
  },
  'Mutation.createTag(name)': { field: 'mutation createTag(name: $x) { id }', length: [1, 50] },
  'Mutation.updateTag(name)': { field: 'mutation updateTag(id: $tag, name: $x) { id }', length: [1, 50] },
  'Mutation.createStatus(name)': {
    field: 'mutation createStatus(name: $x, color: "#fff") { id }',
    length: [1, 50],
  },
  'Mutation.createStatus(color)': { field: 'mutation createStatus(name: "Red", color: $x) { id }' },
  'Mutation.updateStatus(name)': { field: 'mutation updateStatus(id: $status, name: $x) { id }', length: [1, 50] },
  'Mutation.updateStatus(color)': { field: 'mutation updateStatus(id: $status, color: $x) { id }' },
  'Mutation.createField(label)': { field: createField('label: $x, type: TEXT'), length: [1, 100] },
  'Mutation.createField(description)': {
    field: createField('label: $name, type: TEXT, description: $x'),
    length: [0, 1_000],
  },
  'Mutation.createField(locations)': {
    field: createField('label: $name, type: TEXT, locations: [$x]'),
    length: [1, 100],
  },
  'FieldOptionInput(id)': {
    field: createField('label: $name, type: SELECTION, options: [{ name: "O", id: $x }]'),
    length: [1, 100],
  },
  'FieldOptionInput(name)': {
    field: createField('label: $name, type: SELECTION, options: [{ name: $x }]'),
    length: [1, 100],
  },
  'FieldOptionInput(color)': {
    field: createField('label: $name, type: SELECTION, options: [{ name: "O", color: $x }]'),
  },
  'Mutation.updateField(label)': { field: updateField('label: $x'), length: [1, 100] },
  'Mutation.updateField(description)': { field: updateField('description: $x'), length: [0, 1_000] },
  'Mutation.updateField(locations)': { field: updateField('locations: [$x]'), length: [1, 100] },
  'PostPropertyInput(values)': {
    field: 'mutation updatePost(id: $post, properties: [{ parent: $field, values: [$x] }]) { node { id } }',
    length: [0, 500],
  },
  'Mutation.deleteUser(ssoId)': { field: 'mutation deleteUser(ssoId: $x) { id }' },
  'Mutation.updateUser(ssoId)': { field: 'mutation updateUser(ssoId: $x, name: "Ada") { id }' },
  'Mutation.updateUser(name)': { field: updateUser('name: $x'), length: [1, 100] },
  'Mutation.updateUser(bio)': { field: updateUser('bio: $x'), length: [0, 1_000] },
  'Mutation.updateUser(email)': { field: updateUser('email: $x'), length: [3, 254], make: makeEmail },
  'Mutation.updateUser(imageUrl)': { field: updateUser('imageUrl: $x'), length: [9, 2_048], make: makeAddress },
  'Query.usersPage(search)': { field: 'query usersPage(search: $x) { hasMore }', length: [0, 100] },
  'Mutation.createTag(color)': { field: 'mutation createTag(name: "Red", color: $x) { id }' },
  'Mutation.updateTag(color)': { field: 'mutation updateTag(id: $tag, color: $x) { id }' },
  'Mutation.addTeamUser(emails)': {
    field: 'mutation addTeamUser(emails: [$x], type: MODERATOR) { id }',
    length: [5, 254],
    make: (length) => `a@${makeHost(length - 4)}.c`,
  },
  'Mutation.changeTeamUserRole(ssoId)': { field: 'mutation changeTeamUserRole(ssoId: $x, role: MEMBER) { id }' },
  'Mutation.removeTeamUser(ssoId)': { field: 'mutation removeTeamUser(ssoId: $x)' },
  'UserRef(ssotype)': { field: 'query posts(where: { author: { ssotype: $x, userId: "ada" } }) { totalCount }' },
  'UserRef(userId)': { field: 'query posts(where: { author: { ssotype: "SSO", userId: $x } }) { totalCount }' },
  'UserRef(email)': { field: 'query posts(where: { author: { email: $x } }) { totalCount }' },
  'PostFilter(label)': { field: 'query posts(filters: [{ type: FIELD, label: $x }]) { totalCount }' },
  'PostFilter(empty)': { field: 'query posts(filters: [{ type: FIELD, label: "Size", empty: $x }]) { totalCount }' },
  'PostWhere(externalId)': { field: 'query posts(where: { externalId: $x }) { totalCount }' },
};

test('every argument of the schema that takes a text is tested', () => {
  assert.deepEqual(Object.keys(calls).sort(), textArguments.toSorted());
});

testBoth('texts have as many characters as they may have, and not one more or less', async (app) => {
  for (const [n, [name, { field, length, make }]] of Object.entries(calls).entries()) {
    if (!length) continue;
    const character = String.fromCodePoint(0x5b57 + n); // names that are taken are refused for that
    const textOf = make ?? ((count) => character.repeat(count));
    const [min, max] = length;
    const expected: [count: number, isTaken: boolean][] = [
      [max, true],
      [max + 1, false],
      [min, true],
      [min - 1, min === 0],
    ];
    for (const [count, isTaken] of expected) {
      if (count < 0) continue;
      const { errors } = await send(app, field, textOf(count));
      const label = `${name} with ${count} characters: ${errors[0]?.message ?? 'taken'}`;
      assert.equal(errors[0]?.extensions.code, isTaken ? undefined : 'BAD_REQUEST', label);
      if (count > max) assert.ok(errors[0]?.message.includes(max.toLocaleString('en')), label);
    }
  }
});

/** Texts that break what is not made for them. */
const strange = [
  '',
  ' \n\t ',
  '\u0000',
  'a\u0001b',
  '\ud800',
  '🌒'.repeat(300),
  '%_\\',
  "' or 1=1 --",
  '"*',
  'x'.repeat(100_000),
  'x'.repeat(100_001),
  '\u0301\u0334'.repeat(500),
  '\u0301\u0334'.repeat(10_000),
  '\uff9e\u0334'.repeat(50_000),
];

testBoth('no text whatever makes the server fail, or has it sort more than 30 marks in a row', async (app, t) => {
  const longestRun = watchNormalizing(t);
  for (const [name, { field }] of Object.entries(calls)) {
    for (const text of strange) {
      const { status, errors } = await send(app, field, text);
      const code = errors[0]?.extensions.code ?? 'NOT_FOUND';
      const label = `${name} with ${JSON.stringify(text.slice(0, 20))}: ${errors[0]?.message}`;
      assert.equal(status, 200, label);
      assert.ok(code in errorCatalogue && code !== 'INTERNAL_SERVER_ERROR', label);
      assert.ok(longestRun() <= 30, label);
    }
  }
});

let names = 0;

async function send(app: TestApp, field: string, x: string) {
  const [kind = '', ...rest] = field.split(' ');
  const rows: Record<string, string> = field.includes('$name') ? { name: `New ${names++}` } : {};
  for (const row of ['post', 'comment', 'tag', 'status', 'field', 'board', 'entry'] as const)
    if (field.includes(`$${row}`)) rows[row] = await makeRow[row](app);
  const head = ['x', ...Object.keys(rows)].map((name) => `$${name}: String!`);
  return app.gql(`${kind}(${head.join(', ')}) { result: ${rest.join(' ')} }`, { x, ...rows });
}
