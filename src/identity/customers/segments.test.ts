import assert from 'node:assert/strict';
import { type TestApp, testBoth } from '../../../test/support/app.ts';

type Conditions = Parameters<TestApp['api']['createSegment']>[0]['conditions'];

/** Users with attributes and companies that conditions tell apart. */
async function fill({ api }: TestApp): Promise<void> {
  const big = { id: 'big', name: 'Big Corp', plan: 'Enterprise', monthlyRevenue: 5_000, attributes: { region: 'EU' } };
  const small = { id: 'small', name: 'Small Ltd', plan: 'Free', monthlyRevenue: 0 };
  const users = [
    { ssoId: 'ann', email: 'ann@big.example', attributes: { role: 'Admin', seats: 30, vip: true }, companies: [big] },
    { ssoId: 'ben', email: 'ben@big.example', attributes: { role: 'dev', seats: '30' }, companies: [big, small] },
    { ssoId: 'cas', attributes: { signedUp: '2026-03-01', vip: false }, companies: [small] },
    { ssoId: 'dan', attributes: { 'odd name': 'ü\u0007', role: '' } },
    { ssoId: 'bot', isApiUser: true, attributes: { role: 'Admin' }, companies: [big] },
  ];
  for (const user of users) await api.createUser({ ssoType: 'SSO', name: user.ssoId, ...user });
}

testBoth('a segment has the people whom its conditions describe', async (app) => {
  await fill(app);
  const { api } = app;
  let n = 0;
  const peopleIn = async (conditions: Conditions, match: 'ALL' | 'ANY' = 'ALL') => {
    const { id, userCount } = await api.createSegment(
      { name: `S${n++}`, match, conditions },
      { id: true, userCount: true },
    );
    const { nodes } = await api.usersPage({ segment: id, limit: 100 }, { nodes: { ssoId: true } });
    await api.deleteSegment({ id });
    assert.equal(nodes.length, userCount);
    return nodes
      .map(({ ssoId }) => ssoId)
      .sort()
      .join(' ');
  };
  const user = (attribute: string, comparison: Conditions[number]['comparison'], ...values: string[]) =>
    ({ of: 'USER', attribute, comparison, values }) as const;
  const company = (attribute: string, comparison: Conditions[number]['comparison'], ...values: string[]) =>
    ({ of: 'COMPANY', attribute, comparison, values }) as const;
  assert.equal(await peopleIn([user('role', 'IS', 'admin')]), 'ann');
  assert.equal(await peopleIn([user('role', 'IS', 'admin', 'DEV')]), 'ann ben');
  assert.equal(await peopleIn([user('role', 'IS_NOT', 'Admin')]), 'ada ben cas dan');
  assert.equal(await peopleIn([user('seats', 'AT_LEAST', '30')]), 'ann');
  assert.equal(await peopleIn([user('seats', 'IS', '30')]), 'ann ben');
  assert.equal(await peopleIn([user('seats', 'AT_MOST', '29.5')]), '');
  assert.equal(await peopleIn([user('vip', 'IS', 'true')]), 'ann');
  assert.equal(await peopleIn([user('vip', 'IS_SET')]), 'ann cas');
  assert.equal(await peopleIn([user('role', 'IS_NOT_SET')]), 'ada cas dan');
  assert.equal(await peopleIn([user('signedUp', 'SINCE', '2026-03-01')]), 'cas');
  assert.equal(await peopleIn([user('signedUp', 'BEFORE', '2026-03-01')]), '');
  assert.equal(await peopleIn([user('email', 'CONTAINS', '@BIG.')]), 'ann ben');
  assert.equal(await peopleIn([user('dateCreated', 'SINCE', '2026-11-21')]), 'ada ann ben cas dan');
  assert.equal(await peopleIn([user('dateCreated', 'BEFORE', '2026-11-21')]), '');
  assert.equal(await peopleIn([company('plan', 'IS', 'enterprise')]), 'ann ben');
  assert.equal(await peopleIn([company('monthlyRevenue', 'AT_MOST', '10')]), 'ben cas');
  assert.equal(await peopleIn([company('region', 'IS', 'eu')]), 'ann ben');
  // One and the same company must meet the conditions.
  assert.equal(await peopleIn([company('plan', 'IS', 'Free'), company('region', 'IS', 'EU')]), '');
  assert.equal(await peopleIn([company('plan', 'IS', 'Free'), company('region', 'IS', 'EU')], 'ANY'), 'ann ben cas');
  assert.equal(await peopleIn([company('plan', 'IS', 'Free'), user('role', 'IS', 'dev')]), 'ben');
  assert.equal(await peopleIn([company('plan', 'IS_SET'), user('odd name', 'IS_SET')], 'ANY'), 'ann ben cas');
});

testBoth('a segment that cannot be evaluated is refused, and says why', async ({ gql, api }) => {
  const tryOne = async (condition: string) =>
    (await gql(`mutation { createSegment(name: "S", conditions: [${condition}]) { id } }`)).errors[0]?.extensions.field;
  assert.equal(await tryOne(''), 'conditions');
  assert.equal(await tryOne('{ of: USER, attribute: "a\\"b", comparison: IS_SET }'), 'conditions.attribute');
  assert.equal(await tryOne('{ of: USER, attribute: "$.a", comparison: IS_SET }'), 'conditions.attribute');
  assert.equal(await tryOne('{ of: USER, attribute: "a", comparison: IS }'), 'conditions.values');
  assert.equal(await tryOne('{ of: USER, attribute: "a", comparison: AT_LEAST, values: ["x"] }'), 'conditions.values');
  assert.equal(
    await tryOne('{ of: USER, attribute: "a", comparison: SINCE, values: ["2026-02-31"] }'),
    'conditions.values',
  );
  await api.createSegment({ name: 'VIP', conditions: [{ of: 'USER', attribute: "it's", comparison: 'IS_SET' }] });
  const again = await gql(`mutation { createSegment(name: "vip", conditions: [
    { of: USER, attribute: "a", comparison: IS_SET }]) { id } }`);
  assert.equal(again.errors[0]?.extensions.code, 'CONFLICT');
  assert.deepEqual(await api.segments({ name: true, userCount: true }), [{ name: 'VIP', userCount: 0 }]);
});

testBoth('ideas are found, sorted and counted by who is behind them', async (app) => {
  await fill(app);
  const { api, makePost } = app;
  const [a, b, c] = [await makePost('A'), await makePost('B'), await makePost('C')];
  const votes = { [a]: ['ann', 'ben'], [b]: ['cas', 'dan', 'ben'], [c]: ['dan'] };
  for (const [postId, voters] of Object.entries(votes)) {
    for (const voter of voters) await api.as(voter).upvotePost({ postId });
  }
  await api.downvotePost({ postId: a });
  const { id: enterprise } = await api.createSegment({
    name: 'Enterprise',
    conditions: [{ of: 'COMPANY', attribute: 'plan', comparison: 'IS', values: ['Enterprise'] }],
  });
  const of = async (id: string, segment?: string) => {
    const figures = { $args: { segment }, people: true, companies: true, monthlyRevenue: true } as const;
    return (await api.post({ id }, { demand: figures }))?.demand;
  };
  assert.deepEqual(await of(a), { people: 2, companies: 2, monthlyRevenue: 5_000 });
  assert.deepEqual(await of(b), { people: 3, companies: 2, monthlyRevenue: 5_000 });
  assert.deepEqual(await of(c), { people: 1, companies: 0, monthlyRevenue: 0 });
  assert.deepEqual(await of(b, enterprise), { people: 1, companies: 2, monthlyRevenue: 5_000 });
  assert.deepEqual(await of(c, enterprise), { people: 0, companies: 0, monthlyRevenue: 0 });
  const titles = async (args: object) => {
    const walked: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const { nodes, totalCount, ...page } = await api.posts(
        { ...args, limit: 1, cursor },
        { nodes: { title: true }, totalCount: true, hasMore: true, cursor: true },
      );
      walked.push(...nodes.map(({ title }) => title));
      cursor = page.cursor;
      if (cursor === null) {
        assert.equal(walked.length, totalCount);
        return walked.join('');
      }
    }
  };
  assert.equal(await titles({ sort: 'MOST_PEOPLE' }), 'BAC');
  assert.equal(await titles({ sort: 'MOST_COMPANIES' }), 'BAC');
  assert.equal(await titles({ sort: 'MOST_REVENUE', segment: enterprise }), 'BA');
  assert.equal(await titles({ sort: 'MOST_PEOPLE', segment: enterprise }), 'AB');
  assert.equal(await titles({ sort: 'NEWEST', segment: enterprise }), 'BA');
  assert.equal(await titles({ segment: enterprise, where: { number: 1 } }), 'A');
  await api.mergePosts({ sourceIds: [a], targetId: b });
  assert.equal(await titles({ sort: 'MOST_PEOPLE', segment: enterprise }), 'B');
  assert.deepEqual(await of(b), { people: 4, companies: 2, monthlyRevenue: 5_000 });
});
