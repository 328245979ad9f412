import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

testBoth('both spellings of the arguments of createUser name the same person', async ({ api, ask }) => {
  const first = await api.createUser(
    { ssotype: 'okta', userId: '7', name: 'Zoe' },
    { id: true, name: true, ssoId: true, ssoType: true },
  );
  const second = await api.createUser({ ssoType: 'okta', ssoId: '7', bio: 'Hi' }, { id: true, name: true, bio: true });
  const third = await ask(
    'mutation { createUser(ssoType: okta, ssoId: "7", ssotype: "okta", userId: "7") { id bio } }',
  );
  assert.deepEqual(first, { ...first, name: 'Zoe', ssoId: '7', ssoType: 'okta' });
  assert.deepEqual(second, { id: first.id, name: 'Zoe', bio: 'Hi' });
  assert.deepEqual(third.createUser, { id: first.id, bio: 'Hi' });
});

testBoth('createUser updates what is given and leaves the rest', async ({ ask }) => {
  const fields = 'name email bio image isAPIUser emailOnMention isSsoUser role attributes';
  const create = `mutation($a: JSON) { createUser(ssotype: "SSO", userId: "7", name: "Zoe", email: "Zoe@Example.com",
    bio: "b", imageUrl: "https://example.com/z.png", isApiUser: true, emailOnMention: false, attributes: $a) { ${fields} } }`;
  const attributes = { plan: 'gold', seats: 3, nested: { a: [1, null, 'ü'] } };
  const { createUser } = await ask(create, { a: attributes });
  const expected = {
    name: 'Zoe',
    email: 'zoe@example.com',
    bio: 'b',
    image: 'https://example.com/z.png',
    isAPIUser: true,
    emailOnMention: false,
    isSsoUser: true,
    role: 'MEMBER',
    attributes,
  };
  assert.deepEqual(createUser, expected);
  const changed = await ask(
    `mutation { createUser(ssotype: "SSO", userId: "7", bio: null, name: "Zo") { ${fields} } }`,
  );
  assert.deepEqual(changed.createUser, { ...expected, bio: null, name: 'Zo' });
});

testBoth('wrong input of createUser gets a clear error', async ({ gql }) => {
  const problem = async (args: string) => (await gql(`mutation { createUser(${args}) { id } }`)).errors[0];
  assert.equal((await problem('userId: "1"'))?.message, 'ssoType is required');
  assert.equal((await problem('ssotype: "SSO"'))?.message, 'ssoId is required');
  assert.equal((await problem('ssotype: "SSO", ssoType: "okta", userId: "1"'))?.extensions.field, 'ssotype');
  assert.equal((await problem('ssotype: "SSO", ssoId: "2", userId: "1"'))?.extensions.field, 'userId');
  const person = 'ssotype: "SSO", userId: "1"';
  for (const email of ['x', 'a b@c', `${'x'.repeat(251)}@y.z`]) {
    assert.equal((await problem(`${person}, email: "${email}"`))?.extensions.field, 'email');
  }
  for (const url of ['javascript:alert(1)', 'x', 'data:text/html,x']) {
    assert.equal((await problem(`${person}, imageUrl: "${url}"`))?.extensions.field, 'imageUrl');
  }
  assert.equal((await problem(`${person}, name: "${'x'.repeat(101)}"`))?.extensions.field, 'name');
  assert.equal(await problem(`${person}, name: "${'x'.repeat(100)}"`), undefined);
  assert.equal((await problem(`${person}, name: ""`))?.extensions.field, 'name');
  assert.equal((await problem(`ssotype: "SSO", userId: "${'x'.repeat(256)}"`))?.extensions.field, 'userId');
  assert.equal((await problem(`${person}, attributes: [1]`))?.extensions.field, 'attributes');
  assert.equal((await problem(`${person}, attributes: {a: "${'x'.repeat(10_000)}"}`))?.extensions.field, 'attributes');
});

testBoth('registering one person many times at once makes one', async ({ ask }) => {
  const query = 'mutation { createUser(ssotype: "SSO", userId: "7", name: "Zoe") { id } }';
  const calls = await Promise.all(Array.from({ length: 20 }, () => ask(query)));
  assert.equal(new Set(calls.map((data) => data.createUser.id)).size, 1);
});

testBoth('a person is found by their external id; an unknown one is an error', async (app) => {
  await app.makeUser('bob');
  assert.equal((await app.api.user({ ssoId: 'bob', ssoType: 'SSO' }, { name: true }))?.name, 'bob');
  assert.equal((await app.api.user({ ssoId: 'bob' }, { name: true }))?.name, 'bob');
  for (const args of ['ssoId: "nobody"', 'ssoId: "bob", ssoType: "okta"']) {
    const { errors, data } = await app.gql(`{ user(${args}) { name } }`);
    assert.deepEqual(
      [errors[0]?.message, errors[0]?.extensions.code, data.user],
      ['User not found', 'NOT_FOUND', null],
    );
  }
});

testBoth(
  'a person is found by their id as it was registered, in any Unicode form',
  async ({ api, makePost, makeUser }) => {
    const decomposed = ' Größe '.normalize('NFD');
    await makeUser(decomposed, 'MODERATOR');
    const id = await makePost('Post');
    for (const userId of [decomposed, decomposed.trim(), 'Größe']) {
      const user = await api.user({ ssoId: userId }, { ssoId: true, role: true });
      assert.deepEqual(user, { ssoId: 'Größe', role: 'MODERATOR' });
      assert.equal(
        (await api.upvotePost({ postId: id, voter: { ssotype: 'SSO', userId } }, { upvoteCount: true })).upvoteCount,
        1,
      );
    }
  },
);

testBoth('an email address is seen by its owner, moderators and API users only', async (app) => {
  await app.makeUser('bob');
  await app.makeUser('mod', 'MODERATOR');
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bot', isApiUser: true });
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'zoe', email: 'zoe@example.com' });
  const seenBy = async (as: string) => (await app.api.as(as).user({ ssoId: 'zoe' }, { email: true }))?.email;
  assert.equal(await seenBy('bob'), null);
  for (const as of ['zoe', 'mod', 'bot', 'ada']) assert.equal(await seenBy(as), 'zoe@example.com');
});

testBoth('users lists people, by part of their name when asked', async (app) => {
  for (const name of ['Bob', 'Bobby', '50% off', 'zoe']) await app.makeUser(name);
  const names = async (args: string) =>
    (await app.ask(`{ users${args} { name } }`)).users.map((user: { name: string }) => user.name);
  assert.deepEqual(await names(''), ['ada', 'Bob', 'Bobby', '50% off', 'zoe']);
  assert.deepEqual(await names('(limit: 2)'), ['ada', 'Bob']);
  assert.deepEqual(await names('(search: "BOB")'), ['Bob', 'Bobby']);
  assert.deepEqual(await names('(search: "%")'), ['50% off']);
  assert.deepEqual(await names('(search: "")'), ['ada', 'Bob', 'Bobby', '50% off', 'zoe']);
  await app.makeUser('Ärger ΑΒΓ');
  assert.deepEqual(await names('(search: "ärger αβ")'), ['Ärger ΑΒΓ']);
  const [, , second] = await app.api.users({});
  assert.deepEqual(await names(`(limit: 1, cursor: "${second?.id}")`), ['50% off']);
  await assert.rejects(app.api.users({ cursor: 'x' }), { field: 'cursor' });
  await assert.rejects(app.api.users({ limit: 101 }), { field: 'limit' });
});

testBoth('a change of role counts within seconds, of a person at once', async (app) => {
  await app.makeUser('bob');
  const id = await app.makePost('Post', { as: 'bob' });
  await assert.rejects(app.api.as('bob').updatePost({ id, isLocked: true }), { code: 'FORBIDDEN' });
  await app.makeUser('bob', 'MODERATOR');
  app.clock.advance(3_000);
  await app.api.as('bob').updatePost({ id, isLocked: true });
  await app.api.createUser({ ssoType: 'SSO', ssoId: 'bob', name: 'Robert' });
  assert.equal((await app.api.as('bob').viewer({ user: { name: true } })).user?.name, 'Robert');
});

testBoth('a text that cannot be an id finds no user', async (app) => {
  for (const text of ['a\u0000b', '\ud800', 'a\u0007']) {
    await assert.rejects(app.api.user({ ssoId: text, ssoType: 'SSO' }), { message: 'User not found' });
    for (const author of [{ email: text }, { id: text }, { ssotype: 'SSO', userId: text }]) {
      await assert.rejects(app.api.createPost({ title: 'T', author }), { message: 'User not found' });
    }
    await assert.rejects(app.api.users({ search: text }), { field: 'search' });
    await assert.rejects(app.api.events({ types: [text] }, { nodes: { id: true } }), { field: 'types' });
  }
});
