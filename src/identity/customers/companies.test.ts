import assert from 'node:assert/strict';
import { testBoth } from '../../../test/support/app.ts';

const facts = { externalId: true, name: true, plan: true, monthlyRevenue: true, attributes: true } as const;

testBoth('a company is registered, changed and found by the id of the own system', async ({ api }) => {
  const made = await api.createCompany(
    { externalId: 'acme', name: 'Acme', plan: 'Pro', monthlyRevenue: 1_200.5 },
    facts,
  );
  const acme = { externalId: 'acme', name: 'Acme', plan: 'Pro', monthlyRevenue: 1_200.5, attributes: null };
  assert.deepEqual(made, acme);
  const attributes = { seats: 12, isTrial: false, renews: '2027-01-31' };
  const changed = await api.createCompany({ externalId: 'acme', plan: null, attributes }, facts);
  assert.deepEqual(changed, { ...acme, plan: null, attributes });
  assert.deepEqual(await api.company({ externalId: 'acme' }, facts), changed);
  assert.equal(await api.company({ externalId: 'none' }, facts), null);
  const unnamed = await api.createCompany({ externalId: 'x1' }, { id: true, name: true });
  assert.equal(unnamed.name, 'x1');
  const found = await api.companies({ search: 'ACM' }, { nodes: { name: true } });
  assert.deepEqual(found.nodes, [{ name: 'Acme' }]);
});

testBoth('users belong to the companies that their system names, and to no others', async ({ api }) => {
  const companiesOf = async (ssoId: string) =>
    (await api.user({ ssoId, ssoType: 'SSO' }, { companies: { name: true } }))?.companies.map(({ name }) => name);
  const [acme, beta] = [
    { id: 'a', name: 'Acme', monthlyRevenue: 100 },
    { id: 'b', name: 'Beta' },
  ];
  await api.createUser({ ssoType: 'SSO', ssoId: 'zoe', companies: [beta, acme] });
  assert.deepEqual(await companiesOf('zoe'), ['Acme', 'Beta']);
  await api.createUser({ ssoType: 'SSO', ssoId: 'zoe', name: 'Zoe' });
  assert.deepEqual(await companiesOf('zoe'), ['Acme', 'Beta']);
  await api.updateUser({ ssoType: 'SSO', ssoId: 'zoe', companies: [{ id: 'b' }] });
  assert.deepEqual(await companiesOf('zoe'), ['Beta']);
  const { nodes } = await api.companies({ sort: 'PEOPLE' }, { nodes: { name: true, userCount: true } });
  assert.deepEqual(nodes, [
    { name: 'Beta', userCount: 1 },
    { name: 'Acme', userCount: 0 },
  ]);
});

testBoth('members neither see nor change companies, not even their own', async ({ api, gql, makeUser }) => {
  await makeUser('zoe');
  await api.updateUser({ ssoType: 'SSO', ssoId: 'zoe', companies: [{ id: 'a', name: 'Acme' }] });
  const zoe = api.as('zoe');
  assert.deepEqual((await zoe.companies({}, { nodes: { id: true } })).nodes, []);
  assert.equal(await zoe.company({ externalId: 'a' }), null);
  assert.deepEqual(await zoe.segments({ id: true }), []);
  const { demand } = await zoe.createPost({ title: 'T' }, { demand: { people: true } });
  assert.equal(demand, null);
  const own = await zoe.viewer({ user: { companies: { name: true } } });
  assert.deepEqual(own.user?.companies, []);
  for (const document of [
    'mutation { createCompany(externalId: "a") { id } }',
    'mutation { updateUser(ssoId: "zoe", companies: []) { id } }',
    'mutation { createSegment(name: "S", conditions: [{ of: USER, attribute: "a", comparison: IS_SET }]) { id } }',
    '{ posts(sort: MOST_REVENUE) { nodes { id } } }',
  ]) {
    const { errors } = await gql(document, {}, { as: 'zoe' });
    assert.equal(errors[0]?.extensions.code, 'FORBIDDEN', document);
  }
});

testBoth('what a company cannot be is refused, and says why', async ({ gql, api }) => {
  const errorOf = async (args: string) =>
    (await gql(`mutation { createCompany(externalId: "a", ${args}) { id } }`)).errors[0]?.extensions.field;
  assert.equal(await errorOf(`name: ""`), 'companies.name');
  assert.equal(await errorOf(`monthlyRevenue: 1e300`), 'companies.monthlyRevenue');
  assert.equal(await errorOf(`attributes: { a: { b: 1 } }`), 'companies.attributes');
  assert.equal(await errorOf(`attributes: [1]`), 'companies.attributes');
  const twice = '[{ id: "a" }, { id: "a" }]';
  const { errors } = await gql(`mutation { updateUser(ssoId: "ada", companies: ${twice}) { id } }`);
  assert.equal(errors[0]?.extensions.field, 'companies');
  assert.deepEqual((await api.companies({}, { nodes: { id: true } })).nodes, []);
});
