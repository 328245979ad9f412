import { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import Fastify from 'fastify';
import { type Loaders, makeLoaders, resolvers } from './resolvers.ts';
import { typeDefs } from './schema.ts';
import { announce } from './serve.ts';

/** Apollo Server on Fastify with DataLoader. */
const app = Fastify();
const apollo = new ApolloServer<Loaders>({ typeDefs, resolvers: resolvers as never, introspection: false });
await apollo.start();
app.route({
  url: '/',
  method: ['GET', 'POST'],
  handler: fastifyApolloHandler(apollo, { context: async () => makeLoaders() }),
});
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server, () => app.close());
