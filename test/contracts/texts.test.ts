import assert from 'node:assert/strict';
import { testBoth, testOnce } from '../support/app.ts';
import { requireAccepted, requireRefused } from './sending.ts';

const MAX = 100_000;
const TOO_LONG = /has 100,001 characters; no text may have more than 100,000$/;

/** Where a text can be in a request, by what it is sent in as `$x`. */
const variables: [name: string, query: string, put: (text: string) => unknown][] = [
  ['an argument', 'query($x: String) { posts(search: $x) { totalCount } }', (text) => text],
  ['an id', 'query($x: String!) { post(id: $x) { id } }', (text) => text],
  ['a list', 'query($x: [String!]) { events(types: $x) { hasMore } }', (text) => ['a', text]],
  ['an input', 'query($x: PostWhere) { posts(where: $x) { totalCount } }', (text) => ({ author: { email: text } })],
  ['a scalar of ours', 'query($x: SSOTypes) { user(ssoId: "ada", ssoType: $x) { id } }', (text) => text],
  [
    'JSON',
    'mutation($x: JSON) { createUser(ssotype: "SSO", userId: "jo", attributes: $x) { id } }',
    (text) => ({ deep: [{ er: text }] }),
  ],
];

testOnce('no text in the variables of a request has more than 100,000 characters, wherever it is', async (testApp) => {
  for (const [name, query, put] of variables) {
    const { errors } = await testApp.gql(query, { x: put('x'.repeat(MAX)) });
    assert.doesNotMatch(errors[0]?.message ?? '', /no text may have/, name);
    await requireRefused(testApp, query, 'BAD_REQUEST', TOO_LONG, { x: put('x'.repeat(MAX + 1)) });
  }
});

testOnce('no text that is written into a document has more than 100,000 characters', async (testApp) => {
  const texts = ['"?"', '"""?"""', '?'];
  for (const text of texts) {
    const query = (length: number) =>
      `{ user(ssoId: "ada", ssoType: ${text.replace('?', 'x'.repeat(length))}) { id } }`;
    const { errors } = await testApp.gql(query(MAX));
    assert.equal(errors[0]?.message, 'User not found');
    await requireRefused(testApp, query(MAX + 1), 'GRAPHQL_VALIDATION_FAILED', TOO_LONG);
  }
});

testOnce('an instant or a day that no calendar has is refused, in variables and in the document', async (testApp) => {
  const inVariable = 'query($x: DateTime) { usersPage(since: $x) { hasMore } }';
  const inDocument = (instant: string) => `{ usersPage(since: "${instant}") { hasMore } }`;
  const message = /DateTime must be an ISO 8601 instant with a time zone/;
  for (const instant of ['2026-02-28T23:59:59Z', '2024-02-29T00:00:00.000+14:00']) {
    await requireAccepted(testApp, inVariable, { x: instant });
    await requireAccepted(testApp, inDocument(instant));
  }
  for (const instant of [
    '2026-02-29T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-11-31T00:00:00Z',
    '2026-11-21T24:00:00Z',
  ]) {
    await requireRefused(testApp, inVariable, 'BAD_REQUEST', message, { x: instant });
    await requireRefused(testApp, inDocument(instant), 'GRAPHQL_VALIDATION_FAILED', message);
  }
});

testBoth('invalid email addresses are refused everywhere, and people are found by any spelling', async (testApp) => {
  const takers = [
    'mutation($x: String!) { createUser(ssotype: "SSO", userId: "jo", email: $x) { id } }',
    'mutation($x: String!) { updateUser(ssoId: "ada", email: $x) { id } }',
    'mutation($x: String!) { addTeamUser(emails: [$x], type: MODERATOR) { id } }',
  ];
  const wrong = ['a@b.example(c)', 'a@b,c', '"a"@b.example', 'a@[127.0.0.1]', 'a@b.example\nBcc: c@d.example'];
  for (const query of takers) {
    for (const x of wrong) {
      const { errors } = await testApp.gql(query, { x });
      assert.equal(errors[0]?.extensions.code, 'BAD_REQUEST', x);
      assert.match(String(errors[0]?.extensions.field), /^emails?$/, x);
    }
    await testApp.ask(query, { x: 'ada@example.com' });
  }
  const { updateUser } = await testApp.ask(
    'mutation { updateUser(ssoId: "ada", email: "Ada@Bücher.example") { email } }',
  );
  assert.equal(updateUser.email, 'ada@xn--bcher-kva.example');
  await testApp.makePost('Dark mode');
  const find = 'query($email: String) { posts(where: { author: { email: $email } }) { totalCount } }';
  for (const email of ['ada@bücher.example', ' ADA@xn--bcher-kva.example', 'ada@bu\u0308cher.example'])
    assert.equal((await testApp.ask(find, { email })).posts.totalCount, 1);
});
