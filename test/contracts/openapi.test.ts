import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import type { AxiosResponse } from 'axios';
import { OpenAPIClientAxios } from 'openapi-client-axios';
import type * as z from 'zod';
import { operations } from '../../src/api/webhooks/operations.ts';
import { statusOf } from '../../src/api/webhooks/route.ts';
import { comment, testWebhooks, type WebhookApp } from '../support/webhooks.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'));

test('a validator that is not ours finds the OpenAPI document valid', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors));
  assert.equal(validator.version, '3.1');
});

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape
type Client = Record<string, (parameters?: any, body?: any) => Promise<AxiosResponse<any>>>;

/** A client that a library generates from the document which the server has, for an operation its method. */
async function generateClient({ app, makeKey }: WebhookApp): Promise<Client> {
  const baseURL = await app.listen({ port: 0, host: '127.0.0.1' });
  const apikey = await makeKey({ permissions: ['WEBHOOKS'] });
  const axiosConfigDefaults = { headers: { apikey }, validateStatus: () => true };
  const definition = await (await fetch(`${baseURL}/api/v1/openapi.json`)).json();
  assert.deepEqual(definition, document, 'the committed document is the one that is served');
  const api = new OpenAPIClientAxios({ definition, axiosConfigDefaults, withServer: { url: baseURL } });
  const client = (await api.init()) as unknown as Client;
  return Object.fromEntries(
    operations.map((operation) => [
      operation.id,
      async (parameters, body) => {
        const response = await client[operation.id]?.(parameters, body);
        assert.ok(response, `${operation.id} is an operation of the client`);
        requireDescribed(operation.id, response);
        return response;
      },
    ]),
  );
}

/** A response has a status of the document, and everything in a success is described there. */
function requireDescribed(id: string, { status, data }: AxiosResponse): void {
  const operation = operations.find((each) => each.id === id) ?? assert.fail(id);
  const described = Object.values<Record<string, { operationId: string; responses: object }>>(document.paths)
    .flatMap((path) => Object.values(path))
    .find(({ operationId }) => operationId === id);
  assert.ok(described && String(status) in described.responses, `${id} may answer ${status}`);
  if (status === statusOf(operation) && operation.output) (operation.output as z.ZodObject).strict().parse(data);
}

testWebhooks('a client generated from the document manages webhooks and their deliveries', async (app) => {
  const client = await generateClient(app);
  const { url } = await app.makeWebhook();
  const other = `${url}-2`;

  const created = await client.createWebhook?.(null, { url: other, events: ['comment.created'] });
  assert.equal(created?.status, 201);
  const { id, version, signingSecret, verifyToken, verification, state } = created.data;
  assert.deepEqual([state, verification.ok, verifyToken], ['active', true, null]);
  assert.match(signingSecret, /^whsec_[\w+/]{43}=$/);

  const list = (await client.listWebhooks?.())?.data.webhooks;
  assert.deepEqual(
    list.map((webhook: { url: string }) => webhook.url),
    [url, other],
  );
  assert.ok(!JSON.stringify(list).includes(signingSecret));

  const changed = await client.updateWebhook?.({ webhook: id }, { events: null, version });
  assert.deepEqual([changed?.status, changed?.data.events], [200, null]);
  assert.equal((await client.updateWebhook?.({ webhook: id }, { events: null, version }))?.status, 409);

  const tested = (await client.testWebhook?.({ webhook: id }))?.data;
  assert.deepEqual([tested.ok, tested.status, tested.outcome], [true, 200, 'delivered']);

  const rotated = (await client.rotateSecret?.({ webhook: id }, {}))?.data;
  assert.notEqual(rotated.signingSecret, signingSecret);
  assert.equal(rotated.hasPendingSecret, true);
  assert.equal((await client.settleSecret?.({ webhook: id }, { use: 'new' }))?.data.hasPendingSecret, false);
  assert.deepEqual((await client.getWebhook?.({ webhook: id }))?.data.hasSigningSecret, true);

  await comment(app, await app.makePost('Dark mode'), 'Please');
  await app.pass();
  const filter = { webhook: id, state: 'delivered', limit: 1 };
  const first = (await client.listDeliveries?.(filter))?.data;
  assert.deepEqual([first.deliveries[0].event, first.hasMore], ['comment.created', true]);
  const second = (await client.listDeliveries?.({ ...filter, cursor: first.cursor }))?.data;
  assert.equal(second.deliveries[0].event, 'post.created');
  const delivery = second.deliveries[0].id;
  const log = (await client.getDelivery?.({ webhook: id, delivery }))?.data;
  assert.deepEqual([JSON.parse(log.body).event, log.log.length, log.log[0].answer.status], ['post.created', 1, 200]);

  app.takeEvents();
  const resent = await client.resendDelivery?.({ webhook: id, delivery });
  assert.deepEqual([resent?.status, resent?.data.state], [200, 'waiting']);
  await app.pass();
  const [again] = app.takeEvents();
  assert.equal(again?.id, log.eventId);

  assert.equal((await client.disableWebhook?.({ webhook: id }))?.data.state, 'disabled');
  assert.equal((await client.testWebhook?.({ webhook: id }))?.status, 409);
  assert.equal((await client.enableWebhook?.({ webhook: id }, { backlog: 'skip' }))?.data.state, 'active');
  assert.equal((await client.deleteWebhook?.({ webhook: id }))?.status, 204);
  assert.equal((await client.getWebhook?.({ webhook: id }))?.status, 404);
});
