import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import Fastify from 'fastify';
import { sendTogether } from './sends.ts';

test('responses of a turn are sent together, after the last of its requests was handled', async (t) => {
  const app = Fastify();
  sendTogether(app);
  const seen: string[] = [];
  app.get('/:name', async ({ params }, reply) => {
    const { name } = params as { name: string };
    seen.push(`handled ${name}`);
    reply.raw.once('finish', () => seen.push(`sent ${name}`));
    return name;
  });
  const names = ['a', 'b', 'c'];
  const answers = await Promise.all(names.map((name) => app.inject(`/${name}`)));
  t.after(() => app.close());
  assert.deepEqual(
    answers.map(({ body }) => body),
    names,
  );
  assert.deepEqual(seen, [...names.map((name) => `handled ${name}`), ...names.map((name) => `sent ${name}`)]);
});

test('a response that cannot be sent fails alone', async (t) => {
  const app = Fastify();
  sendTogether(app);
  app.get('/bad', async (_, reply) =>
    reply
      .type('text/plain')
      .serializer(() => 7 as never)
      .send('x'),
  );
  app.get('/good', async () => 'good');
  await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  const { port } = app.server.address() as AddressInfo;
  const ask = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port, path, agent: false }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  assert.deepEqual(await Promise.all([ask('/bad'), ask('/good'), ask('/bad')]), [500, 200, 500]);
});
