import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

const UPDATE = `mutation($id: String!, $type: SSOTypes, $name: String, $email: String, $bio: String, $url: String, $attributes: JSON) {
  updateUser(ssoId: $id, ssoType: $type, name: $name, email: $email, bio: $bio, imageUrl: $url, attributes: $attributes) {
    ssoId name email bio image attributes
  }
}`;

testBoth('updateUser changes what is given and leaves the rest', async (app) => {
  await app.makeUser('bob');
  const change = async (variables: object) => (await app.ask(UPDATE, { id: 'bob', ...variables })).updateUser;
  const bare = { ssoId: 'bob', name: 'bob', email: null, bio: null, image: null, attributes: null };
  assert.deepEqual(await change({}), bare);
  const told = { name: 'Bob', email: 'bob@example.com', bio: 'Hi', attributes: { plan: 'pro' } };
  const full = { ...bare, ...told, image: 'https://example.com/b.png' };
  assert.deepEqual(await change({ ...told, email: 'Bob@Example.com', url: full.image }), full);
  assert.deepEqual(await change({ bio: null, attributes: null }), { ...full, bio: null, attributes: null });
  assert.deepEqual(await change({ name: 'Rob', type: 'SSO' }), { ...full, bio: null, attributes: null, name: 'Rob' });
  const found = await app.api.users({ search: 'rob' }, { name: true });
  assert.deepEqual(found, [{ name: 'Rob' }]);
  const itself = await app.api.as('bob').viewer({ user: { name: true } });
  assert.equal(itself.user?.name, 'Rob');
});

testBoth('updateUser creates no users, and refuses what createUser refuses', async (app) => {
  const errorOf = async (variables: object) => (await app.gql(UPDATE, { id: 'ada', ...variables })).errors[0];
  assert.equal((await errorOf({ id: 'nobody', name: 'x' }))?.message, 'User not found');
  assert.equal((await errorOf({ type: 'okta', name: 'x' }))?.message, 'User not found');
  for (const [field, wrong] of [
    ['name', { name: 'x'.repeat(101) }],
    ['name', { name: '' }],
    ['email', { email: 'x' }],
    ['imageUrl', { url: 'javascript:alert(1)' }],
    ['attributes', { attributes: [1] }],
    ['bio', { bio: 'x'.repeat(1_001) }],
  ] as const) {
    assert.equal((await errorOf(wrong))?.extensions.field, field);
  }
  assert.equal(await errorOf({ name: 'x'.repeat(100), bio: 'x'.repeat(1_000) }), undefined);
});

testBoth('users change their own profile, and none of a user with a higher role', async (app) => {
  const roles = ['MEMBER', 'MODERATOR', 'ADMIN', 'OWNER'] as const;
  for (const role of roles) await app.makeUser(role.toLowerCase(), role);
  await app.makeUser('other-admin', 'ADMIN');
  await app.makeUser('bot');
  await app.db.transaction((tx) =>
    tx.updateTable('users').set({ is_api_user: 1 }).where('sso_id', '=', 'bot').execute(),
  );
  const codeOf = async (as: string, id: string) => {
    const { errors } = await app.gql(UPDATE, { id, name: 'New', email: 'new@example.com' }, { as });
    return errors[0]?.extensions.code;
  };
  const ids = ['member', 'moderator', 'admin', 'other-admin', 'owner'];
  const allowed: Record<string, string[]> = {
    member: ['member'],
    moderator: ['moderator'],
    bot: ['member'],
    admin: ['member', 'moderator', 'admin', 'other-admin'],
    owner: ids,
  };
  for (const [as, may] of Object.entries(allowed)) {
    for (const id of ids)
      assert.equal(await codeOf(as, id), may.includes(id) ? undefined : 'FORBIDDEN', `${as}: ${id}`);
  }
});
