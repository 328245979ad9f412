import Fastify from 'fastify';
import mercurius from 'mercurius';
import { mercuriusLoaders, rootResolvers } from './resolvers.ts';
import { typeDefs } from './schema.ts';
import { announce } from './serve.ts';

/** Mercurius with its loaders; JIT=1 compiles an operation that comes a second time. */
const app = Fastify();
await app.register(mercurius, {
  schema: typeDefs,
  resolvers: rootResolvers as never,
  loaders: mercuriusLoaders as never,
  jit: Number(process.env.JIT ?? 0),
  path: '/',
});
await app.listen({ port: 0, host: '127.0.0.1' });
announce(app.server, () => app.close());
