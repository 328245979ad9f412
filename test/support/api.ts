import type { Arguments, Mutation, Query } from '../../sdk/src/schema.ts';
import type { Exactly, ItemOf, ObjectType, Select, Selected } from '../../sdk/src/select.ts';
import type { GqlOptions, GqlResponse } from './app.ts';
import { hasNode, rootFields, writeCall } from './schema.ts';

/** How an operation is called, and what it returns: what is selected, or the id. */
type Call<A, T> = [A] extends [never]
  ? <const S extends Select<ItemOf<T>>>(select: S & Exactly<ItemOf<T>, S>) => Promise<Selected<T, S>>
  : ItemOf<T> extends ObjectType
    ? {
        (args: A): Promise<Selected<T, { id: true }>>;
        <const S extends Select<ItemOf<T>>>(args: A, select: S & Exactly<ItemOf<T>, S>): Promise<Selected<T, S>>;
      }
    : (args: A) => Promise<T>;

type ArgsOf<K> = K extends keyof Arguments['Query'] ? Arguments['Query'][K] : never;
type Thing<T> = T extends { node: infer Node } ? Node : T;

/** The operations of the API, which throw an `ApiError`. Of a payload with a `node` they give that. */
export type Calls = { [K in keyof Query]: Call<ArgsOf<K>, Query[K]> } & {
  [K in keyof Mutation]: Call<Arguments['Mutation'][K], Thing<NonNullable<Mutation[K]>>>;
};

/** The API as the owner `ada` uses it, or another user: by external id, or with another key. */
export type Api = Calls & { as(who: string | null | GqlOptions | undefined): Calls };

type Send = (query: string, variables: Record<string, unknown>, options: GqlOptions) => Promise<GqlResponse>;

export function makeApi(send: Send): Api {
  const call = async (name: string, given: object[], options: GqlOptions) => {
    const args = rootFields[name]?.args.length === 0 ? {} : given.shift();
    const [select] = given;
    const isNode = hasNode(name);
    const asked = select && isNode ? { node: select } : select;
    const { document, variables } = writeCall(name, args ?? {}, asked as Parameters<typeof writeCall>[2]);
    const { [name]: answer } = requireData(await send(document, variables, options));
    return isNode ? answer.node : answer;
  };
  const callsAs = (options: GqlOptions) => {
    const calls = Object.keys(rootFields).map((name) => [name, (...given: object[]) => call(name, given, options)]);
    return Object.fromEntries(calls) as Calls;
  };
  return { ...callsAs({}), as: (who = {}) => callsAs(typeof who === 'object' && who ? who : { as: who }) };
}

/** What a call throws: the messages of all errors, and what the first one tells. */
export type ApiError = Error & { code: string; field?: string };

/** The data of a request that must succeed. @throws ApiError */
export function requireData({ data, errors }: GqlResponse): GqlResponse['data'] {
  const [first] = errors;
  if (!first) return data;
  throw Object.assign(new Error(errors.map(({ message }) => message).join('\n')), first.extensions);
}

/** What a call fails with; undefined if it succeeds. */
export async function errorOf(call: Promise<unknown>): Promise<ApiError | undefined> {
  return call.then(
    () => undefined,
    (error) => error,
  );
}

/** What a call fails with, as `CODE: message`; null if it succeeds. */
export async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  const error = await errorOf(call);
  return error ? `${error.code}: ${error.message}` : null;
}
