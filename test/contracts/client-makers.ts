import assert from 'node:assert/strict';
import { ApolloClient, HttpLink, InMemoryCache } from '@apollo/client';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import type { DocumentNode } from 'graphql';

/** A client of another user's, as it comes; both methods give the data and throw errors. */
type AnyClient = {
  query<Data>(document: DocumentNode, variables: Record<string, unknown>): Promise<Data>;
  mutate<Data>(document: DocumentNode, variables: Record<string, unknown>): Promise<Data>;
};

function makeApollo(url: string, headers: Record<string, string>): AnyClient {
  const client = new ApolloClient({ link: new HttpLink({ uri: url, headers }), cache: new InMemoryCache() });
  return {
    query: async <Data>(query: DocumentNode, variables: Record<string, unknown>) =>
      requireData((await client.query<Data>({ query, variables })).data as Data | undefined),
    mutate: async <Data>(mutation: DocumentNode, variables: Record<string, unknown>) =>
      requireData((await client.mutate<Data>({ mutation, variables })).data as Data | undefined),
  };
}

function makeUrql(url: string, headers: Record<string, string>): AnyClient {
  const client = new Client({ url, exchanges: [cacheExchange, fetchExchange], fetchOptions: { headers } });
  async function settle<Data>(answer: PromiseLike<{ data?: Data | undefined; error?: Error | undefined }>) {
    const { data, error } = await answer;
    if (error) throw error;
    return requireData(data);
  }
  return {
    query: (query, variables) => settle(client.query(query, variables).toPromise()),
    mutate: (mutation, variables) => settle(client.mutation(mutation, variables).toPromise()),
  };
}

function requireData<Data>(data: Data | undefined): Data {
  assert.ok(data);
  return data;
}

/** How to make each third-party client, by its package. */
export const clientMakers = { '@apollo/client': makeApollo, '@urql/core': makeUrql };
