import { type EventStream, type FollowOptions, followEvents } from './events.ts';
import type { Arguments, Mutation, Query } from './schema.ts';
import * as schema from './schema.ts';
import { type Exactly, type ItemOf, type Select, type Selected, writeDocument } from './select.ts';
import {
  type ActingUser,
  type Answer,
  type CallOptions,
  type ClientOptions,
  type DryRunEffects,
  makeTransport,
  type Transport,
} from './transport.ts';

/** What a dry run returns: the result of the real request, and what else it would have done. */
export type DryRun<T> = { result: T; effects: DryRunEffects };

/** A document whose types are known, as GraphQL Code Generator writes it. */
export type TypedDocument<T, Variables> = { toString(): string; __apiType?: (variables: Variables) => T };

type NodeOf<T> = T extends { nodes: readonly (infer Node)[] } ? Node : never;

/** How an operation is called, and what it returns. */
type Call<A, T, Mode> = [A] extends [never]
  ? <const S extends Select<ItemOf<T>>>(
      select: S & Exactly<ItemOf<T>, S>,
      options?: CallOptions,
    ) => Returned<Selected<T, S>, Mode>
  : ItemOf<T> extends { __typename: string }
    ? <const S extends Select<ItemOf<T>>>(
        args: A,
        select: S & Exactly<ItemOf<T>, S>,
        options?: CallOptions,
      ) => Returned<Selected<T, S>, Mode>
    : (args: A, options?: CallOptions) => Returned<T, Mode>;

type Returned<T, Mode> = Promise<Mode extends 'dry' ? DryRun<T> : T>;

type ArgsOf<Root extends 'Query' | 'Mutation', K> = K extends keyof Arguments[Root] ? Arguments[Root][K] : never;

type Queries = { [K in keyof Query]: Call<ArgsOf<'Query', K>, Query[K], 'real'> };
/** A mutation that fails throws, so its result is never null. */
type Mutations<Mode = 'real'> = { [K in keyof Mutation]: Call<ArgsOf<'Mutation', K>, NonNullable<Mutation[K]>, Mode> };

/** Every item of a list, which is read page by page; `limit` is the size of a page. */
type Lists = {
  [K in (typeof schema.lists)[number]]: <const S extends Select<NodeOf<Query[K]>>>(
    args: ArgsOf<'Query', K>,
    select: S & Exactly<NodeOf<Query[K]>, S>,
    options?: CallOptions,
  ) => AsyncGenerator<Selected<NodeOf<Query[K]>, S>, void>;
};

/** An uploaded file, to be named in `files` of a post, comment or changelog entry. */
export type UploadedFile = { id: string; name: string; contentType: string; size: number; url: string };

export type Client = Queries &
  Mutations & {
    /** This client, acting as another user. */
    as(user: ActingUser): Client;
    /** Every item of a list: `for await (const post of earshot.each.posts({ sort: 'TOP' }, { title: true })) …` */
    each: Lists;
    /** Mutations that change nothing and report what they would have done. */
    dryRun: Mutations<'dry'>;
    /** The events of the board as they happen, without a gap, for as long as they are read. */
    follow(options?: FollowOptions): EventStream;
    /** Sends a document of your own. @throws EarshotError if any part of it failed */
    request<T = unknown, V extends object = Record<string, unknown>>(
      document: string | TypedDocument<T, V>,
      variables?: V,
      options?: CallOptions,
    ): Promise<T>;
    /** As `request`, with all that comes back. */
    send<T = unknown, V extends object = Record<string, unknown>>(
      document: string | TypedDocument<T, V>,
      variables?: V,
      options?: CallOptions,
    ): Promise<Answer<T>>;
    /** Uploads a file. */
    upload(file: Blob, name: string, options?: CallOptions): Promise<UploadedFile>;
  };

/** Makes a client for the board that the API key belongs to. @throws TypeError if `url` or `apiKey` cannot be right */
export function createClient(options: ClientOptions): Client {
  const transport = makeTransport(options);
  const send = (document: object | string, variables: object = {}, call: CallOptions = {}) =>
    transport.post(String(document), variables, call);
  return {
    ...makeOperations('query', schema.queries, transport, (answer, field) => answer.data[field]),
    ...makeOperations('mutation', schema.mutations, transport, (answer, field) => answer.data[field]),
    dryRun: makeOperations('mutation', schema.mutations, transport, dryRunOf, true),
    each: Object.fromEntries(schema.lists.map((field) => [field, makeList(transport, field)])),
    as: (user: ActingUser) => createClient({ ...options, as: user }),
    follow: (following: FollowOptions = {}) => followEvents(transport, following),
    send,
    request: async (...given: Parameters<typeof send>) => (await send(...given)).data,
    upload(file: Blob, name: string, call: CallOptions = {}) {
      const form = new FormData();
      form.append('file', file, name);
      return transport.upload(form, call);
    },
  } as unknown as Client;
}

type Data = { [field: string]: unknown };

function dryRunOf({ data, extensions }: Answer<Data>, field: string) {
  return { result: data[field], effects: extensions.dryRun };
}

function makeOperations(
  kind: 'query' | 'mutation',
  fields: readonly string[],
  transport: Transport,
  read: (answer: Answer<Data>, field: string) => unknown,
  isDry = false,
) {
  const isIn = (list: readonly string[], field: string) => list.includes(field);
  const make =
    (field: string) =>
    async (...given: object[]) => {
      const args = isIn(schema.withoutArguments, field) ? {} : (given.shift() ?? {});
      const select = isIn(schema.withoutFields, field) ? undefined : given.shift();
      const { document, variables } = writeDocument(kind, field, args, select);
      return read(await transport.post(document, variables, { ...given[0], isDry }), field);
    };
  return Object.fromEntries(fields.map((field) => [field, make(field)]));
}

/** A page of a list. */
export type Page<T> = { nodes: readonly T[]; hasMore: boolean; cursor: string | null };

function makeList(transport: Transport, field: string) {
  const position = field === 'events' ? 'after' : 'cursor';
  return (args: Data, nodes: object, options: CallOptions = {}) =>
    eachOf(async (cursor) => {
      const given = { ...args, [position]: cursor ?? args[position] };
      const { document, variables } = writeDocument('query', field, given, { nodes, hasMore: true, cursor: true });
      const { data } = await transport.post<{ [field: string]: Page<unknown> }>(document, variables, options);
      return data[field];
    });
}

/**
 * Every item of a list that `read` reads page by page, for example of the comments of a post. Ends early if there is no
 * such list.
 */
export async function* eachOf<T>(
  read: (cursor: string | null) => Promise<Page<T> | null | undefined>,
): AsyncGenerator<T, void> {
  for (let cursor: string | null = null; ; ) {
    const page = await read(cursor);
    yield* page?.nodes ?? [];
    if (!page?.hasMore) return;
    cursor = page.cursor;
  }
}
