import {
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isObjectType,
  type OperationTypeNode,
  parse,
  print,
} from 'graphql';

const LINE = 100;

/** An example as it was carried out. */
export type Exchange = {
  query: string;
  variables?: unknown;
  data: unknown;
  /** What the request is refused for, in words. */
  refusal: string | null;
};

/** The kind of a document's operation, and its root field; each example has one. */
export function operationOf(query: string): { kind: OperationTypeNode; name: string } {
  const [definition] = parse(query).definitions;
  if (definition?.kind !== 'OperationDefinition') throw new Error(`No operation in ${query}`);
  const [field] = definition.selectionSet.selections;
  if (field?.kind !== 'Field') throw new Error(`No root field in ${query}`);
  return { kind: definition.operation, name: field.name.value };
}

const introduction = `# API reference

Generated from the schema. \`docs/api.md\` explains how the API works, \`docs/errors.md\` the errors that any operation can
return. Each operation has an example: the request, its variables if it has any, and the response. The examples come from a
test; to run one in the playground at \`/api/v1/playground\`, replace its ids with your own. Types that end in \`!\` are never
null; an argument of such a type is required.
`;

/** docs/reference.md: an entry for each operation, then the types. */
export function printReference(schema: GraphQLSchema, exchanges: Record<string, Exchange[]>): string {
  const sections = Object.entries(exchanges).map(([heading, list]) => {
    const entries = list.map((exchange) => printOperation(schema, exchange));
    return `## ${heading}\n\n${entries.join('\n')}`;
  });
  const types = Object.values(schema.getTypeMap())
    .filter(({ name }) => isDescribed(name))
    .map(printType);
  return [introduction, ...sections, `## Types\n\n${types.join('\n')}`].join('\n');
}

function printOperation(schema: GraphQLSchema, exchange: Exchange): string {
  const { kind, name } = operationOf(exchange.query);
  const field = schema.getRootType(kind)?.getFields()[name];
  if (!field) throw new Error(`No operation has the name of ${exchange.query}`);
  const variables = exchange.variables === undefined ? [] : [block('json', exchange.variables)];
  return [
    `### ${field.name}${kind === 'subscription' ? ' (subscription)' : ''}\n\n${field.description}.\n`,
    table('Argument', field.args),
    `Returns ${link(field.type)}.\n`,
    `\`\`\`graphql\n${print(parse(exchange.query))}\n\`\`\`\n`,
    ...variables,
    block('json', { data: exchange.data }),
    exchange.refusal === null ? '' : `${exchange.refusal}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function isDescribed(typeName: string): boolean {
  return !/^(__.*|Query|Mutation|Subscription|String|Int|Float|Boolean|ID)$/.test(typeName);
}

function printType(type: GraphQLNamedType): string {
  const heading = `### Type ${type.name}\n\n${type.description}.\n`;
  if (isEnumType(type))
    return `${heading}\n${rows(
      'Value',
      type.getValues().map(({ name, description }) => [code(name), description]),
    )}`;
  if (isInputObjectType(type)) return `${heading}\n${table('Field', Object.values(type.getFields()))}`;
  if (!isObjectType(type)) return heading;
  const fields = Object.values(type.getFields());
  return `${heading}\n${rows(
    'Field | Type',
    fields.map((field) => [`${code(field.name)} | ${link(field.type)}`, textOf(field) + argumentsOf(field.args)]),
  )}`;
}

type Part = Pick<GraphQLArgument, 'name' | 'type' | 'description' | 'deprecationReason'>;

function table(head: string, parts: readonly Part[]): string {
  if (parts.length === 0) return '';
  return rows(
    `${head} | Type`,
    parts.map((part) => [`${code(part.name)} | ${link(part.type)}`, textOf(part)]),
  );
}

function rows(head: string, lines: (readonly [string, string | null | undefined])[]): string {
  const dashes = head.replaceAll(/[^|]+/g, '---');
  return `| ${head} | |\n|${dashes}|---|\n${lines.map(([cells, text]) => `| ${cells} | ${text?.replaceAll('\n', ' ')} |\n`).join('')}`;
}

function textOf({ description, deprecationReason }: Pick<Part, 'description' | 'deprecationReason'>): string {
  return deprecationReason ? `${description}. **Deprecated**: ${deprecationReason}` : `${description}`;
}

function argumentsOf(args: readonly Part[]): string {
  return args.length === 0
    ? ''
    : `. Arguments: ${args.map(({ name, type }) => `${code(name)} ${link(type)}`).join(', ')}`;
}

/** The name of a type, with a link to where it is described. */
function link(type: unknown): string {
  const name = String(type).replaceAll(/\W/g, '');
  return isDescribed(name) ? `[${code(String(type))}](#type-${name.toLowerCase()})` : code(String(type));
}

function code(text: string): string {
  return `\`${text}\``;
}

function block(language: string, value: unknown): string {
  return `\`\`\`${language}\n${layOut(value, '')}\n\`\`\`\n`;
}

/** JSON in which what fits on a line stands on one. */
function layOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + line.length <= LINE) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => layOut(item, inner))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${layOut(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
