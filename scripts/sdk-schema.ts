import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
  lexicographicSortSchema,
} from 'graphql';

type Described = { description?: string | null | undefined; deprecationReason?: string | null | undefined };

/** What scalars are in TypeScript: as results, and as arguments where those take more. */
const scalars: Record<string, string> = {
  ID: 'string',
  String: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  JSON: 'unknown',
  DateTime: 'string',
  SSOTypes: 'string',
};
const givenScalars: Record<string, string> = { ...scalars, DateTime: 'string | Date' };

/** What the client already has under a name of its own (`Client` in `sdk/src/client.ts`): operations cannot be called so. */
const taken = ['as', 'dryRun', 'each', 'follow', 'request', 'send', 'upload'];

/** The schema and the codes of errors as the client needs them: `sdk/src/schema.ts`. */
export function printSdkSchema(unsorted: GraphQLSchema, codes: readonly string[]): string {
  const schema = lexicographicSortSchema(unsorted);
  const types = Object.values(schema.getTypeMap()).filter(
    ({ name }) => !name.startsWith('__') && name !== 'Subscription',
  );
  const objects = types.filter(isObjectType);
  const parts = [
    '// Generated from the schema of the API by `npm run schema`, not edited by hand: see CONTRIBUTING.md.',
    `/** Codes of errors of the server (\`docs/errors.md\`). */\nexport type ServerErrorCode =\n${codes.map((code) => `  | '${code}'`).join('\n')};`,
    ...types.flatMap(printType),
    `/** Arguments of fields, by type and field. */\nexport interface Arguments {\n${objects.flatMap(printArgumentsOf).join('\n')}\n}`,
    printRuntime(schema, objects),
  ];
  return `${parts.join('\n\n')}\n`;
}

function printType(type: GraphQLNamedType): string[] {
  if (isEnumType(type)) {
    const values = type.getValues().map((value) => `${comment(value, '  ')}  | '${value.name}'`);
    return [`${comment(type)}export type ${type.name} =\n${values.join('\n')};`];
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).map((field) => printGiven(field, '  '));
    return [`${comment(type)}export interface ${type.name} {\n${fields.join('\n')}\n}`];
  }
  if (isObjectType(type)) {
    const fields = Object.values(type.getFields()).map(
      (field) => `${comment(field, '  ')}  ${field.name}: ${write(field.type, scalars)};`,
    );
    const name = ['Query', 'Mutation'].includes(type.name) ? [] : [`  __typename: '${type.name}';`];
    return [`${comment(type)}export interface ${type.name} {\n${[...name, ...fields].join('\n')}\n}`];
  }
  if (isScalarType(type) && scalars[type.name]) return [];
  throw new Error(`The client has no form for the type ${type.name}`);
}

function printArgumentsOf(type: GraphQLObjectType): string[] {
  const fields = Object.values(type.getFields()).filter(({ args }) => args.length > 0);
  if (fields.length === 0) return [];
  const printed = fields.map(({ name, args }) => {
    const lines = args.map((arg) => printGiven(arg, '      '));
    return `    ${name}: {\n${lines.join('\n')}\n    };`;
  });
  return [`  ${type.name}: {\n${printed.join('\n')}\n  };`];
}

/** An argument, or a field of an input: what may be null may be left out. */
function printGiven({ name, type, ...described }: Pick<GraphQLArgument, 'name' | 'type'> & Described, indent: string) {
  const written = write(type, givenScalars);
  return `${comment(described, indent)}${indent}${name}${isNonNullType(type) ? `: ${written}` : `?: ${written} | undefined`};`;
}

function write(type: GraphQLType, names: Record<string, string>): string {
  if (isNonNullType(type)) return writeNullable(type.ofType, names);
  const written = writeNullable(type, names);
  return written === 'unknown' ? written : `${written} | null`;
}

function writeNullable(type: GraphQLType, names: Record<string, string>): string {
  if (!isListType(type)) return names[getNamedType(type).name] ?? getNamedType(type).name;
  const item = write(type.ofType, names);
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function comment({ description, deprecationReason }: Described, indent = ''): string {
  const text = [description?.replace(/\s*\n\s*/g, ' '), deprecationReason && `@deprecated ${deprecationReason}`];
  const said = text.filter(Boolean).join(' ').replaceAll('*/', '* /');
  return said === '' ? '' : `${indent}/** ${said} */\n`;
}

/** What is needed to write documents: the operations, how each is called, and the types of variables. */
function printRuntime(schema: GraphQLSchema, objects: readonly GraphQLObjectType[]): string {
  const [queries, mutations] = [schema.getQueryType(), schema.getMutationType()].map((type) =>
    Object.values(type?.getFields() ?? {}),
  ) as [Field[], Field[]];
  const all = [...queries, ...mutations];
  const clash = all.find(({ name }) => taken.includes(name));
  if (clash) throw new Error(`The client has something else that is called ${clash.name}`);
  const lists: [name: string, comment: string, fields: Field[]][] = [
    ['queries', 'Fields of queries.', queries],
    ['mutations', 'Fields of mutations.', mutations],
    ['withoutArguments', 'Those that are called without arguments.', all.filter(({ args }) => args.length === 0)],
    [
      'withoutFields',
      'Those whose result has no fields to select.',
      all.filter(({ type }) => !isObjectType(getNamedType(type))),
    ],
    ['lists', 'Those that return a list page by page.', queries.filter(isPaged)],
  ];
  const printed = lists.map(
    ([name, about, fields]) =>
      `/** ${about} */\nexport const ${name} = [${fields.map((f) => `'${f.name}'`).join(', ')}] as const;`,
  );
  const entries = Object.entries(variableTypes(objects)).map(([name, type]) => `  '${name}': '${type}',`);
  const about =
    '/** Types of variables by the name of the argument; `field.argument` where it is not the usual one. */';
  return [
    ...printed,
    `${about}\nexport const variableTypes: Record<string, string> = {\n${entries.join('\n')}\n};`,
  ].join('\n\n');
}

type Field = GraphQLField<unknown, unknown>;

function isPaged({ type }: Field): boolean {
  const page = getNamedType(type);
  return isObjectType(page) && ['nodes', 'hasMore', 'cursor'].every((name) => name in page.getFields());
}

/** The type of each argument without its last `!`: most names have the same type wherever they are. */
function variableTypes(objects: readonly GraphQLObjectType[]): Record<string, string> {
  const all = objects.flatMap((type) =>
    Object.values(type.getFields()).flatMap((field) =>
      field.args.map((arg) => ({ field: field.name, name: arg.name, type: String(arg.type).replace(/!$/, '') })),
    ),
  );
  const types: Record<string, string> = {};
  for (const { field, name, type } of all) {
    types[name] ??= type;
    if (types[name] !== type) types[`${field}.${name}`] = type;
  }
  const unclear = all.find(({ field, name, type }) => (types[`${field}.${name}`] ?? types[name]) !== type);
  if (unclear) throw new Error(`${unclear.field}(${unclear.name}:) has several types`);
  return types;
}
