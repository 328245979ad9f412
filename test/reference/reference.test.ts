import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import '../../src/api/graphql/features.ts';
import { makeSchema } from '../../src/api/graphql/schema.ts';
import { makeTestApp, type TestApp } from '../support/app.ts';
import { engines } from '../support/store.ts';
import { boardExamples } from './board.examples.ts';
import type { Example } from './example.ts';
import { makeFixture } from './fixture.ts';
import { peopleExamples } from './people.examples.ts';
import { postExamples } from './posts.examples.ts';
import { type Exchange, operationOf, printReference } from './printing.ts';

const examples = { ...peopleExamples, ...postExamples, ...boardExamples };
const file = fileURLToPath(new URL('../../docs/reference.md', import.meta.url));

for (const engine of engines) {
  test(`docs/reference.md has what the API answers to the requests in it [${engine}]`, async (t) => {
    const made = await makeTestApp(t, engine);
    const ids = await makeFixture(made);
    const key = await made.makeKey({ name: 'Backend', rateRules: [{ seconds: 60, limit: 1_000 }] });
    const app = { ...made, key };
    const exchanges: Record<string, Exchange[]> = {};
    for (const [heading, list] of Object.entries(examples)) {
      const carriedOut: Exchange[] = [];
      for (const example of list) carriedOut.push(await carryOut(app, example, ids));
      exchanges[heading] = carriedOut;
    }
    const reference = printReference(makeSchema(), exchanges);
    t.assert.fileSnapshot(withSteadyIds(reference), file, { serializers: [String] });
  });
}

test('every operation of the schema has an example', () => {
  const schema = makeSchema();
  const roots = (['query', 'mutation', 'subscription'] as const).flatMap((kind) =>
    Object.keys(schema.getRootType(kind)?.getFields() ?? {}).map((name) => `${kind} ${name}`),
  );
  const shown = Object.values(examples).flatMap((list) =>
    list.map(({ query }) => `${operationOf(query).kind} ${operationOf(query).name}`),
  );
  assert.deepEqual(shown.toSorted(), roots.toSorted());
});

async function carryOut(app: TestApp, example: Example, ids: Record<string, string>): Promise<Exchange> {
  const { query, refused } = example;
  const variables = filled(example.variables, ids);
  const refusal = refused
    ? await refuse(app, query, { ...refused, variables: filled(refused.variables, ids) ?? variables ?? {} })
    : null;
  const isStream = operationOf(query).kind === 'subscription';
  const data = await (isStream ? follow(app, query, variables) : app.ask(query, variables, { key: app.key }));
  app.clock.advance(1_000);
  return { query, ...(variables && { variables }), data, refusal };
}

/** The first result of a subscription. */
async function follow({ app, key }: TestApp, query: string, variables: unknown): Promise<unknown> {
  const { headers, stream } = await subscribe(app, key, query, variables);
  assert.equal(headers['content-type'], 'text/event-stream');
  for await (const chunk of stream()) {
    const result = /^data: (.*)$/m.exec(String(chunk));
    if (result?.[1]) return JSON.parse(result[1]).data;
  }
  return assert.fail('the stream has no result');
}

function subscribe(app: TestApp['app'], key: string, query: string, variables: unknown) {
  return app.inject({
    method: 'POST',
    url: '/api/v1/graphql',
    headers: { apikey: key, ssotype: 'SSO', ssoid: 'ada', accept: 'text/event-stream' },
    payload: { query, variables },
    payloadAsStream: true,
  });
}

/** What such a request is refused for. */
async function refuse(app: TestApp, query: string, { variables, as }: Required<Example>['refused']): Promise<string> {
  const { errors } = await app.gql(query, variables, { key: app.key, ...(as !== undefined && { as }) });
  assert.ok(errors[0], `${operationOf(query).name} is not refused`);
  const how = as === undefined ? `With \`${JSON.stringify(variables)}\`` : 'For a user with the role MEMBER';
  return `${how}: \`${errors[0].extensions.code}\`, ${errors[0].message}`;
}

/** Variables with the ids that stand behind names such as `<post>`. */
function filled<T>(variables: T, ids: Record<string, string>): T {
  if (variables === undefined) return variables;
  return JSON.parse(JSON.stringify(variables).replaceAll(/<([a-z ]+)>/g, (_, name) => ids[name] ?? assert.fail(name)));
}

/** Ids and cursors are new at each run: they are numbered in the order of their first appearance. */
function withSteadyIds(text: string): string {
  const ids: string[] = [];
  const numberOf = (id: string) => (ids.includes(id) ? ids.indexOf(id) + 1 : ids.push(id));
  return text
    .replaceAll(/"cursor": "[^"]+"/g, '"cursor": "…"')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      id.startsWith('01980000-') ? id : `01980000-0000-7000-8000-${String(numberOf(id)).padStart(12, '0')}`,
    );
}
