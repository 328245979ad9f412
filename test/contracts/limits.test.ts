import assert from 'node:assert/strict';
import { getIntrospectionQuery } from 'graphql';
import { testOnce } from '../support/app.ts';
import { PATIENCE_MS } from '../support/until.ts';
import { requireAccepted, requireRefused } from './sending.ts';

const COMPLEX = 'QUERY_TOO_COMPLEX';
const INVALID = 'GRAPHQL_VALIDATION_FAILED';
const UNREADABLE = 'GRAPHQL_PARSE_FAILED';

/** Levels two to `levels` are posts of the acting user, their nodes, their author, and so on. */
function nested(levels: number): string {
  const cycle = ['user', 'posts(limit: 1)', 'nodes', 'author', 'posts(limit: 1)', 'nodes'];
  const parents = ['viewer', 'user'];
  while (parents.length < levels - 1) parents.push(cycle[((parents.length - 2) % 3) + 1] ?? '');
  const leaf = parents.at(-1)?.startsWith('posts') ? 'hasMore' : 'id';
  return `{ ${parents.join(' { ')} { ${leaf} ${'} '.repeat(parents.length)}}`;
}

/** A query of exactly this many tokens: five around the fields, three for each that has a name of its own. */
function ofTokens(tokens: number): string {
  const aliases = Array.from({ length: Math.floor((tokens - 5) / 3) }, (_, n) => `n${n}: name`);
  return `{ board { ${aliases.join(' ')} ${'name '.repeat((tokens - 5) % 3)} } }`;
}

/** This many root fields. */
function ofRoots(fields: number): string {
  return `{ ${Array.from({ length: fields }, (_, n) => `b${n}: board { id }`).join(' ')} }`;
}

testOnce('twelve levels of fields are accepted, thirteen are refused', async (testApp) => {
  await testApp.makePost('Dark mode');
  await requireAccepted(testApp, nested(12));
  await requireRefused(testApp, nested(13), COMPLEX, /its depth is 13, the limit is 12/);
  await requireRefused(testApp, nested(100), COMPLEX, /its depth is 100, the limit is 12/);
});

testOnce('levels within fragments count as if they were written out', async (testApp) => {
  const twelve = 'query { viewer { ...V } } fragment V on Viewer { user { ...U } } fragment U on User';
  const inner = (leaf: string) =>
    `{ posts(limit: 1) { nodes { ... { author { posts(limit: 1) { nodes { author { posts(limit: 1) { nodes { ${leaf} } } } } } } } } } }`;
  await requireAccepted(testApp, `${twelve} ${inner('author { id }')}`);
  await requireRefused(testApp, `${twelve} ${inner('author { posts(limit: 1) { hasMore } }')}`, COMPLEX, /depth is 13/);
});

testOnce('a thousand tokens are accepted, one more is refused', async (testApp) => {
  await requireAccepted(testApp, ofTokens(1_000));
  await requireRefused(testApp, ofTokens(1_001), COMPLEX, /its length in tokens is over 1,000, the limit is 1,000/);
});

testOnce('twenty root fields are accepted, one more is refused', async (testApp) => {
  await requireAccepted(testApp, ofRoots(20));
  await requireRefused(testApp, ofRoots(21), COMPLEX, /its number of root fields is 21, the limit is 20/);
  const fragment = `query { ...F } fragment F on Query ${ofRoots(21)}`;
  await requireRefused(testApp, fragment, COMPLEX, /its number of root fields is 21/);
  const mutation = `mutation { ${Array.from({ length: 21 }, (_, n) => `p${n}: createPost(title: "P") { id }`).join(' ')} }`;
  await requireRefused(testApp, mutation, COMPLEX, /its number of root fields is 21/);
  const { board } = await testApp.ask('{ board { postCount } }');
  assert.equal(board.postCount, 0);
});

testOnce('a cost of 5,000 is accepted, more is refused', async (testApp) => {
  // The list costs 1, its nodes 100 times 49 fields and themselves; each field outside the list is one more.
  const titles = Array.from({ length: 48 }, (_, n) => `t${n}: title`).join(' ');
  const cost = (extra: number) => {
    const names = Array.from({ length: extra }, (_, n) => `n${n}: name`).join(' ');
    return `{ posts(limit: 100) { nodes { ${titles} } } board { ${names} } }`;
  };
  await requireAccepted(testApp, cost(98));
  await requireRefused(testApp, cost(99), COMPLEX, /its cost is 5,001, the limit is 5,000/);
});

testOnce('a long text costs as much as two other fields', async (testApp) => {
  const texts: [field: string, cost: number][] = [
    ['content', 2],
    ['comments(limit: 1) { nodes { text } }', 2 + 2],
    ['events(limit: 1) { nodes { data } }', 2 + 2],
    ['author { attributes }', 1 + 2],
    ['properties { values }', 1 + 2],
  ];
  for (const [text, cost] of texts) {
    // As above: with the nodes and the titles it comes to 49 for each of a hundred posts.
    const titles = Array.from({ length: 48 - cost }, (_, n) => `t${n}: title`).join(' ');
    const query = (extra: number) => {
      const names = Array.from({ length: extra }, (_, n) => `n${n}: name`).join(' ');
      return `{ posts(limit: 100) { nodes { ${titles} ${text} } } board { ${names} } }`;
    };
    await requireAccepted(testApp, query(98));
    await requireRefused(testApp, query(99), COMPLEX, /its cost is 5,001, the limit is 5,000/);
  }
});

testOnce('texts too many for the page size are refused before anything is read', async (testApp) => {
  const many = Array.from({ length: 48 }, (_, n) => `a${n}: content`).join(' ');
  await testApp.makePost('Dark mode');
  testApp.takeStatements();
  await requireRefused(testApp, `{ posts(limit: 100) { nodes { ${many} } } }`, COMPLEX, /its cost is 9,701/);
  assert.deepEqual(testApp.takeStatements(), []);
});

testOnce('page sizes in variables and by default count in the cost', async (testApp) => {
  const query = 'query($a: Int, $b: Int) { posts(limit: $a) { nodes { comments(limit: $b) { nodes { id type } } } } }';
  await requireAccepted(testApp, query, { a: 20, b: 82 });
  await requireAccepted(testApp, query, {});
  await requireRefused(testApp, query, COMPLEX, /its cost is 30,201, the limit is 5,000/, { a: 100, b: 100 });
  await requireRefused(testApp, query, COMPLEX, /its cost is 5,021/, { a: 20, b: 83 });
  const byDefault =
    'query($a: Int = 100, $b: Int = 100) { posts(limit: $a) { nodes { comments(limit: $b) { nodes { id } } } } }';
  await requireRefused(testApp, byDefault, COMPLEX, /its cost is 20,201/);
  await requireAccepted(testApp, byDefault, { a: 1 });
  const threeLists = '{ posts { nodes { author { posts { nodes { comments { nodes { id } } } } } } } }';
  await requireRefused(testApp, threeLists, COMPLEX, /its cost is/);
});

testOnce('ten thousand aliases are refused at once', async (testApp) => {
  const aliases = (field: string) => Array.from({ length: 10_000 }, (_, n) => `a${n}: ${field}`).join(' ');
  const start = performance.now();
  await requireRefused(testApp, `{ ${aliases('__typename')} }`, COMPLEX, /tokens/);
  await requireRefused(testApp, `{ board { ${aliases('name')} } }`, COMPLEX, /tokens/);
  assert.ok(performance.now() - start < PATIENCE_MS);
});

testOnce('fragments that contain themselves are refused', async (testApp) => {
  const own = '{ board { ...A } } fragment A on Board { name ...A }';
  await requireRefused(testApp, own, INVALID, /Cannot spread fragment "A" within itself/);
  const ring =
    '{ post(id: "x") { ...A } } fragment A on Post { author { ...B } } fragment B on User { posts { nodes { ...A } } }';
  await requireRefused(testApp, ring, INVALID, /Cannot spread fragment "A" within itself via "B"/);
});

testOnce('fragments that multiply are answered at once', async (testApp) => {
  const fragments = (spread: (next: string) => string) =>
    Array.from({ length: 30 }, (_, n) => `fragment F${n} on User { ${n < 29 ? spread(`F${n + 1}`) : 'id'} }`).join(
      '\n',
    );
  const start = performance.now();
  // Each fragment spreads the next twice, beneath fields of different names: a billion fields.
  const deep = fragments(
    (next) =>
      `a: posts(limit: 1) { nodes { author { ...${next} } } } b: posts(limit: 1) { nodes { author { ...${next} } } }`,
  );
  await requireRefused(testApp, `{ viewer { user { ...F0 } } }\n${deep}`, COMPLEX, /./);
  // The same beneath inline fragments: a billion ways to the one field.
  const flat = fragments((next) => `... { ...${next} } ... { ...${next} }`);
  await requireAccepted(testApp, `{ viewer { user { ...F0 } } }\n${flat}`);
  // As wide as the depth allows.
  const wide = Array.from({ length: 3 }, (_, n) => {
    const spreads = Array.from(
      { length: 12 },
      (_, a) => `a${a}: posts(limit: 1) { nodes { author { ...W${n + 1} } } }`,
    );
    return `fragment W${n} on User { ${spreads.join(' ')} }`;
  });
  await requireRefused(
    testApp,
    `{ viewer { user { ...W0 } } } ${wide.join(' ')} fragment W3 on User { id }`,
    COMPLEX,
    /its (cost|depth) is/,
  );
  assert.ok(performance.now() - start < PATIENCE_MS);
});

testOnce('introspection is allowed as deep as tools ask, not deeper', async (testApp) => {
  const everything = {
    specifiedByUrl: true,
    directiveIsRepeatable: true,
    schemaDescription: true,
    inputValueDeprecation: true,
    experimentalDirectiveDeprecation: true,
    oneOf: true,
    typeDepth: 30,
  };
  for (const options of [{}, everything]) await requireAccepted(testApp, getIntrospectionQuery(options));
  const lists =
    '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }';
  await requireRefused(testApp, lists, INVALID, /Maximum introspection depth exceeded/);
});

testOnce(
  'introspection is refused from twice the fields on that tools ask for, however they are asked',
  async (testApp) => {
    const twice = getIntrospectionQuery().replace('__schema {', '__schema { more: types { ...FullType }');
    await requireRefused(testApp, twice, COMPLEX, /its introspection is more than [\d,]+ fields, the limit is [\d,]+$/);
    const ofTypes = (count: number) =>
      `query($name: String!) { ${Array.from({ length: count }, (_, n) => `t${n}: __type(name: $name) { ...A }`).join(' ')} }
     fragment A on __Type { fields { type { ...B } args { name type { ...B } } } } fragment B on __Type { a: name b: name c: name }`;
    await requireAccepted(testApp, ofTypes(20), { name: 'Board' });
    await requireAccepted(testApp, ofTypes(1), { name: 'Mutation' });
    await requireRefused(testApp, ofTypes(20), COMPLEX, /its introspection is more than/, { name: 'Mutation' });
  },
);

testOnce('introspection is accepted up to its limit, one more field is refused', async (testApp) => {
  const twice = getIntrospectionQuery().replace('__schema {', '__schema { more: types { ...FullType }');
  const [refusal] = (await testApp.gql(twice)).errors;
  const limit = Number(/([\d,]+)$/.exec(refusal?.message ?? '')?.[1]?.replaceAll(',', ''));
  const { __schema: schema } = await testApp.ask('{ __schema { types { name } } }');
  const types = schema.types.length;
  const aliases = (count: number, name: string) => Array.from({ length: count }, (_, n) => `a${n}: ${name}`).join(' ');
  const ofFields = (count: number) => {
    // `__schema` and `types` are two, and each name is as many as there are types.
    const names = Math.floor((count - 2) / types);
    return `{ __schema { ${aliases(count - 2 - names * types, 'description')} types { ${aliases(names, 'name')} } } }`;
  };
  await requireAccepted(testApp, ofFields(limit - 1));
  await requireAccepted(testApp, ofFields(limit));
  await requireRefused(testApp, ofFields(limit + 1), COMPLEX, /its introspection is more than/);
});

testOnce('what is no document, no valid one, or names no operation is refused with its own code', async (testApp) => {
  await requireRefused(testApp, '{', UNREADABLE, /Syntax Error: Expected Name, found <EOF>/);
  await requireRefused(testApp, '{ post(id: "\\x") }', UNREADABLE, /Syntax Error/);
  await requireRefused(testApp, '{ nothing }', INVALID, /Cannot query field "nothing" on type "Query"/);
  await requireRefused(testApp, '{ board }', INVALID, /must have a selection of subfields/);
  await requireRefused(testApp, '{ post(id: 7) { id } }', INVALID, /String cannot represent a non string value/);
  await requireRefused(
    testApp,
    'query A { board { id } } query B { board { id } }',
    INVALID,
    /operationName is required/,
  );
  await requireRefused(testApp, 'fragment A on Board { id }', INVALID, /./);
  await requireRefused(testApp, 'subscription { board { id } }', INVALID, /./);
});
