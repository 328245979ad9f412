import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv, type AnySchema, type ValidateFunction } from 'ajv';

type Content = { content?: { 'application/json': { schema: AnySchema } } };
type Operation = {
  parameters?: { name: string; schema: { type: string } }[];
  requestBody?: Content;
  responses: Record<string, Content>;
};
type Description = { paths: Record<string, Record<string, Operation>>; components: object };

/** An excerpt of Atlassian's description of Jira's API. */
const description: Description = JSON.parse(readFileSync(new URL('jira.json', import.meta.url), 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema({ $id: 'jira', components: description.components });

/** Checks a request of Earshot: its path, what it asks for, and its body. */
export function checkJiraRequest(method: string, { pathname, searchParams }: URL, body: unknown): void {
  const { parameters = [], requestBody } = operationOf(method, pathname);
  for (const [name, text] of searchParams) {
    const parameter = parameters.find((each) => each.name === name);
    assert.ok(parameter, `${method} ${pathname} has no parameter ${name}`);
    const isGood = parameter.schema.type === 'integer' ? /^\d+$/.test(text) : text !== '';
    assert.ok(isGood, `${name} of ${method} ${pathname} cannot be ${text}`);
  }
  check(requestBody, body, `${method} ${pathname}`);
  const { fields, body: comment } = (body ?? {}) as { fields?: { description?: object }; body?: object };
  for (const document of [fields?.description, comment])
    if (document) checkBy({ $ref: 'jira#/components/schemas/AtlassianDocument' }, document, 'a text');
}

/** Checks that Jira could respond so. */
export function checkJiraResponse(method: string, { pathname }: URL, status: number, body: unknown): void {
  const response = operationOf(method, pathname).responses[status];
  assert.ok(response, `${method} ${pathname} never has status ${status}`);
  check(response, body ?? undefined, `${status} of ${method} ${pathname}`);
}

function operationOf(method: string, pathname: string): Operation {
  const found = Object.entries(description.paths).filter(([path]) =>
    new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  // One without a part that varies goes before those with one.
  const [, methods] = found.find(([path]) => path === pathname) ?? found[0] ?? [];
  return methods?.[method.toLowerCase()] ?? assert.fail(`Jira has no ${method} ${pathname}`);
}

function check(described: Content | undefined, body: unknown, what: string): void {
  const schema = described?.content?.['application/json'].schema;
  if (schema) checkBy(schema, body, what);
}

const validators = new Map<string, ValidateFunction>();

function checkBy(schema: AnySchema, value: unknown, what: string): void {
  const text = JSON.stringify(schema).replaceAll('"#/', '"jira#/');
  const validate = validators.get(text) ?? ajv.compile(JSON.parse(text));
  validators.set(text, validate);
  assert.ok(validate(value), `${what}: ${ajv.errorsText(validate.errors)}`);
}
