import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GraphQLField, getNamedType, isLeafType, isNonNullType, isObjectType } from 'graphql';
import { type TestApp, testBoth } from '../support/app.ts';
import { schema } from '../support/schema.ts';
import { fillBoard } from './filled-board.ts';

/** Where there are many rows of each type; `…` stands for what is asked of them, `$n` for how many there are. */
const places: Record<string, string> = {
  Query: '{ … }',
  Board: '{ board { … } }',
  Viewer: '{ viewer { … } }',
  Post: '{ posts(limit: $n, sort: OLDEST) { nodes { … } } }',
  PostIssue: '{ posts(limit: $n, sort: OLDEST) { nodes { issues(limit: 3) { nodes { … } } } } }',
  PostAssignment: '{ posts(limit: $n, sort: OLDEST) { nodes { assignments(limit: 3) { nodes { … } } } } }',
  Comment: '{ comments(limit: $n) { nodes { … } } }',
  PostProperty: '{ posts(limit: $n, sort: OLDEST) { nodes { properties { … } } } }',
  Field: '{ listFields { … } }',
  Vote: '{ votes(limit: $n) { nodes { … } } }',
  User: '{ users(limit: $n) { … } }',
  TeamUser: '{ board { team { … } } }',
  Tag: '{ listTags { … } }',
  Status: '{ listStatuses { … } }',
  View: '{ views { … } }',
  RoadmapColumn: '{ roadmap { … } }',
  SimilarPost: '{ similarPosts(title: "Post", limit: $n) { … } }',
  ChangelogEntry: '{ changelog(limit: $n) { nodes { … } } }',
  Operation: '{ operations(limit: $n) { nodes { … } } }',
  OperationChange: '{ operations(limit: $n) { nodes { changes { … } } } }',
  Event: '{ events(limit: $n) { nodes { … } } }',
};

/** Arguments that must be given. */
const required: Record<string, string> = {
  'Query.post': 'id: "<post>"',
  'Query.postByNumber': 'number: 1',
  'Query.comment': 'id: "<comment>"',
  'Query.status': 'id: "<status>"',
  'Query.tag': 'id: "<tag>"',
  'Query.field': 'id: "<field>"',
  'Query.company': 'externalId: "acme"',
  'Query.user': 'ssoId: "ben"',
  'Query.changelogEntry': 'id: "<entry>"',
  'Query.similarPosts': 'title: "Post"',
};

/** Statements that a field adds to a list with all that its own rows have; each list here has more rows. */
const BOUND = 6;
const QUERY_BOUND = 8;
/** Fields that may add more, and why. */
const exceptions: Record<string, number> = {
  'Post.similar': 45, // at most four for each of the ten posts that may ask for it
};

const others = [schema.getMutationType(), schema.getSubscriptionType()];
const objects = Object.values(schema.getTypeMap()).filter(
  (type) => isObjectType(type) && !type.name.startsWith('__') && !others.some((other) => other === type),
);

test('every type that leads to others has a place where many of its rows are', () => {
  const leading = objects.filter(
    (type) =>
      isObjectType(type) &&
      !type.name.endsWith('Payload') &&
      Object.values(type.getFields()).some((field) => isObjectType(getNamedType(field.type)) && !isPlain(field)),
  );
  const missing = leading.map(({ name }) => name).filter((name) => !places[name]);
  assert.deepEqual(missing, []);
});

/** Whether a field gives what leads nowhere: it is a part of its row. */
function isPlain(field: GraphQLField<unknown, unknown>): boolean {
  const type = getNamedType(field.type);
  return (
    isObjectType(type) && Object.values(type.getFields()).every(({ type: leaf }) => isLeafType(getNamedType(leaf)))
  );
}

testBoth(
  'whatever fields a list selects, it costs a few statements for the list and none for each row',
  async (app) => {
    await fillBoard(app);
    await app.makeUser('mia');
    for (let n = 0; n < 10; n++) await app.makeUser(`moderator ${n}`, 'MODERATOR');
    const ids = await findIds(app);
    for (const [name, place] of Object.entries(places)) {
      const type = schema.getType(name);
      assert.ok(isObjectType(type), name);
      for (const field of Object.values(type.getFields())) {
        const fieldName = `${name}.${field.name}`;
        const part = writeField(field, required[fieldName]).replace(/<(\w+)>/g, (_, row) => ids[row] ?? '');
        for (const as of ['ada', 'mia']) {
          const rows = fieldName === 'Post.similar' ? 10 : 24;
          const bare = name === 'Query' ? 0 : await count(app, place.replace('…', '__typename'), rows, as);
          const more = (await count(app, place.replace('…', part), rows, as)) - bare;
          const bound = exceptions[fieldName] ?? (name === 'Query' ? QUERY_BOUND : BOUND);
          assert.ok(more <= bound, `${fieldName} as ${as}: ${more} statements more, not ${bound}`);
        }
      }
    }
  },
);

/** The field with all that its rows have without leading further. */
function writeField(field: GraphQLField<unknown, unknown>, args: string | undefined): string {
  assert.ok(args !== undefined || !field.args.some(({ type }) => isNonNullType(type)), `${field.name} needs arguments`);
  const limit = field.args.some(({ name }) => name === 'limit') ? 'limit: 24' : '';
  const given = [args, limit].filter(Boolean).join(', ');
  const type = getNamedType(field.type);
  const size = given.replace('24', '3');
  return `${field.name}${size && `(${size})`}${isObjectType(type) ? ` { ${writeLeaves(type.name, 2)} }` : ''}`;
}

function writeLeaves(typeName: string, depth: number): string {
  const type = schema.getType(typeName);
  if (!isObjectType(type) || depth === 0) return '__typename';
  const parts = Object.values(type.getFields()).map((field) => {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return field.name;
    return ['nodes', 'node'].includes(field.name) ? `${field.name} { ${writeLeaves(named.name, depth - 1)} }` : '';
  });
  return ['__typename', ...parts].join(' ');
}

/** The statements of a request that the app has seen before. */
async function count(app: TestApp, query: string, n: number, as: string): Promise<number> {
  const document = query.includes('$n') ? `query($n: Int!) ${query}` : query;
  const { errors } = await app.gql(document, { n }, { as });
  assert.deepEqual(errors, [], query);
  app.takeStatements();
  await app.gql(document, { n }, { as });
  return app.takeStatements().length;
}

async function findIds({ ask }: TestApp): Promise<Record<string, string>> {
  const { comments, listTags, listStatuses, listFields, posts, changelog } = await ask(`{
    comments(limit: 1) { nodes { id } } listTags { id } listStatuses { id } listFields { id } posts(limit: 1) { nodes { id } }
    changelog(limit: 1) { nodes { id } }
  }`);
  return {
    comment: comments.nodes[0].id,
    tag: listTags[0].id,
    status: listStatuses[0].id,
    field: listFields[0].id,
    post: posts.nodes[0].id,
    entry: changelog.nodes[0].id,
  };
}
