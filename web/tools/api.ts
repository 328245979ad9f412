import type { Fetcher } from '@graphiql/toolkit';
import { buildSchema, getOperationAST, introspectionFromSchema, Kind, parse } from 'graphql';
import { createClient } from 'graphql-sse';
import type { HeaderStore } from './header-store.ts';

/** Where the server is: the path before every path of the API, '' for the root, from the page that it sent. */
export const prefix = document.getElementById('tool')?.dataset.prefix ?? '';

export const endpoint = `${prefix}/api/v1/graphql`;
export const sdlPath = `${prefix}/api/v1/schema.graphql`;

/** The schema as text, which the server shows to anyone. */
export async function loadSdl(): Promise<string> {
  const response = await fetch(sdlPath);
  if (!response.ok) throw new Error(`The schema could not be loaded: the server answered ${response.status}`);
  return response.text();
}

/** What is sent: an operation, its variables, and which operation of the document it is. */
export type OperationBody = { query: string; variables?: unknown; operationName?: string | null | undefined };

/** GraphiQL learns the name of a new tab's operation late. It is needed only if a document has several. */
export function withoutStaleName(body: OperationBody): OperationBody {
  try {
    const operations = parse(body.query).definitions.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION);
    return operations.length > 1 ? body : { ...body, operationName: undefined };
  } catch {
    return body; // the server reports what is wrong with it
  }
}

/** Whether the server answers an operation with a stream of results. */
export function isSubscription({ query, operationName }: OperationBody): boolean {
  try {
    return getOperationAST(parse(query), operationName)?.operation === 'subscription';
  } catch {
    return false;
  }
}

/** Sends operations with the headers of the section "HTTP Headers". */
export function makeFetcher(headers: HeaderStore): Fetcher {
  const send: Fetcher = async (params) => {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers.forRequest() },
      body: JSON.stringify(withoutStaleName(params)),
    });
    return response.json();
  };
  return (params) => {
    if (params.operationName === 'IntrospectionQuery') return introspect(params);
    const body = withoutStaleName(params);
    if (!isSubscription(body)) return send(params);
    const options = { url: endpoint, headers: headers.forRequest(), fetchFn: fetchStream, retryAttempts: 0 };
    const { query, operationName } = body;
    return createClient(options).iterate({
      query,
      ...(operationName && { operationName }),
      variables: params.variables,
    });
  };

  /** Documentation is available without a key, with a wrong one, and when its limit is exhausted. */
  async function introspect(params: Parameters<Fetcher>[0]) {
    const result = headers.hasKey() ? await Promise.resolve(send(params)).catch(() => null) : null;
    if (result !== null && 'data' in result && result.data) return result;
    return { data: introspectionFromSchema(buildSchema(await loadSdl())) };
  }
}

/** Opens a stream. @throws with what the server says is wrong */
async function fetchStream(input: string, init: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  if (response.ok) return response;
  const { errors } = await response.json();
  throw new Error(errors[0].message);
}
