import { createServer } from 'node:http';
import { createSchema, createYoga } from 'graphql-yoga';
import { makeLoaders, resolvers } from './resolvers.ts';
import { typeDefs } from './schema.ts';
import { announce } from './serve.ts';

/** GraphQL Yoga on node:http with DataLoader. */
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers: resolvers as never }),
  context: makeLoaders,
  graphqlEndpoint: '/',
  graphiql: false,
  landingPage: false,
  logging: false,
});
const server = createServer(yoga);
server.listen(0, '127.0.0.1', () => {
  announce(server, async () => {
    server.closeAllConnections();
    server.close();
  });
});
