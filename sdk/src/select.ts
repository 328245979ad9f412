import { type Arguments, variableTypes } from './schema.ts';

/** A type of the schema with fields to select. */
export type ObjectType = { __typename: string };

/** What a field has, without null and lists around it. */
export type ItemOf<T> = NonNullable<T> extends readonly (infer Item)[] ? NonNullable<Item> : NonNullable<T>;

type ArgumentsOf<T, K> = T extends { __typename: infer Name extends keyof Arguments }
  ? K extends keyof Arguments[Name]
    ? { $args?: Arguments[Name][K] }
    : unknown
  : unknown;

/**
 * Which fields to return: `{ title: true, author: { name: true } }`. Arguments of a field are `$args` among its own:
 * `{ comments: { $args: { limit: 3 }, nodes: { text: true } } }`.
 */
export type Select<T> = {
  [K in keyof T]?: ItemOf<T[K]> extends ObjectType ? Select<ItemOf<T[K]>> & ArgumentsOf<T, K> : true;
};

/** Nothing but fields that exist: TypeScript itself ignores others in what it infers. */
export type Exactly<T, S> = {
  [K in keyof S]: K extends '$args' ? S[K] : K extends keyof T ? Inner<ItemOf<T[K]>, S[K]> : never;
};

type Inner<T, S> = T extends ObjectType ? Exactly<T, S> : S;

/** What comes back for a selection. */
export type Selected<T, S> = T extends null
  ? null
  : T extends readonly (infer Item)[]
    ? Selected<Item, S>[]
    : T extends ObjectType
      ? { -readonly [K in keyof S & keyof T]: Selected<T[K], S[K]> }
      : T;

type Fields = { readonly [field: string]: true | Fields };

/** The document of one operation with its variables. */
export function writeDocument(kind: 'query' | 'mutation', field: string, args: object, select?: object) {
  const types: string[] = [];
  const variables: Record<string, unknown> = {};

  function writeArguments(name: string, given: object): string {
    const parts = Object.entries(given).flatMap(([arg, value]) => {
      if (value === undefined) return [];
      const type = variableTypes[`${name}.${arg}`] ?? variableTypes[arg] ?? 'String';
      const variable = arg in variables ? `${arg}${types.length}` : arg;
      types.push(`$${variable}: ${type}${value === null ? '' : '!'}`);
      variables[variable] = value;
      return [`${arg}: $${variable}`];
    });
    return parts.length > 0 ? `(${parts.join(', ')})` : '';
  }

  function writeFields({ $args: _, ...fields }: Fields): string {
    const parts = Object.entries(fields).map(([name, inner]) => {
      if (inner === true) return name;
      return `${name}${writeArguments(name, Object(inner.$args))} ${writeFields(inner)}`;
    });
    return `{ ${parts.join(' ')} }`;
  }

  const called = field + writeArguments(field, args);
  const body = select ? `${called} ${writeFields(select as Fields)}` : called;
  return { document: `${kind}${types.length > 0 ? `(${types.join(', ')})` : ''} { ${body} }`, variables };
}
