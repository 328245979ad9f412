import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { verify as verifyAsOctokit } from '@octokit/webhooks-methods';
import express, { type Request, type Response } from 'express';
import xHub from 'express-x-hub';
import { Webhook } from 'standardwebhooks';
import { WhatsAppAPI } from 'whatsapp-api-js/middleware/node-http';
import XHubSignature from 'x-hub-signature';
import { extractRawBody, xHubSignatureMiddleware } from 'x-hub-signature-middleware';
import { createWebhook } from '../../src/webhooks/managing/changing.ts';
import { enableWebhook } from '../../src/webhooks/managing/enabling.ts';
import { makeSigningSecret } from '../../src/webhooks/signing/secret.ts';
import { makeTestApp, testBoth } from '../support/app.ts';
import { onEnd } from '../support/cleanup.ts';
import { startDelivering } from '../support/delivering.ts';

/** Third-party receivers, used as their documents say, and what each took for a genuine event. */

const SECRET = 'schlüssel 🔑 0001';
const TITLES = [
  'Größere Schrift für müde Augen',
  '深色模式，谢谢！',
  'الوضع الليلي من فضلك',
  '🌒 👩‍👩‍👧 "quoted" \\ \u2028 end',
];

type Taken = { title: string }[];
type ThirdParty = { name: string; listen: (take: (body: unknown) => void, secret: string) => RequestListener };

const thirdParties: ThirdParty[] = [
  {
    name: 'x-hub-signature',
    listen: (take, secret) =>
      receive(({ headers }, body) => {
        const isGenuine = new XHubSignature('sha256', secret).verify(String(headers['x-hub-signature']), body);
        return isGenuine && take(JSON.parse(body.toString()));
      }),
  },
  {
    name: 'x-hub-signature-middleware',
    listen: (take, secret) =>
      express()
        .set('env', 'test')
        .get('/', confirm)
        .use(express.json({ verify: extractRawBody }))
        .use(xHubSignatureMiddleware({ algorithm: 'sha256', secret }))
        .post('/', (request: Request, response: Response) => {
          take(request.body);
          response.sendStatus(200);
        }),
  },
  {
    name: 'express-x-hub',
    listen: (take, secret) =>
      express()
        .set('env', 'test')
        .get('/', confirm)
        .use(xHub({ algorithm: 'sha256', secret }))
        .post('/', (request: Request, response: Response) => {
          const isGenuine = request.isXHub && request.isXHubValid?.();
          if (isGenuine) take(request.body);
          response.sendStatus(isGenuine ? 200 : 403);
        }),
  },
  {
    name: '@octokit/webhooks-methods',
    listen: (take, secret) =>
      receive(async ({ headers }, body) => {
        const isGenuine = await verifyAsOctokit(secret, body.toString(), String(headers['x-hub-signature-256']));
        return isGenuine && take(JSON.parse(body.toString()));
      }),
  },
  {
    name: 'whatsapp-api-js',
    listen: (take, secret) => {
      const whatsApp = new WhatsAppAPI({
        v: 'v24.0',
        token: 'unused',
        appSecret: secret,
        webhookVerifyToken: 'unused',
      });
      return receive(async ({ headers }, body) => {
        const signature = String(headers['x-hub-signature-256']);
        return (await whatsApp.verifyRequestSignature(body.toString(), signature)) && take(JSON.parse(body.toString()));
      });
    },
  },
  {
    name: 'standardwebhooks',
    listen: (take, secret) =>
      receive(({ headers }, body) => {
        // Of another secret given as a text it takes the low byte of each character; as bytes every secret is right.
        const isStandard = secret.startsWith('whsec_');
        const webhook = isStandard ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' });
        return take(webhook.verify(body, headers as Record<string, string>));
      }),
  },
  {
    name: 'standardwebhooks, with the text of every secret as the key',
    listen: (take, secret) =>
      receive(({ headers }, body) =>
        take(new Webhook(Buffer.from(secret), { format: 'raw' }).verify(body, headers as Record<string, string>)),
      ),
  },
];

for (const [kind, signingSecret] of [
  ['any text', SECRET],
  ['one of Standard Webhooks', makeSigningSecret()],
] as const) {
  testBoth(`third-party receivers accept deliveries unchanged, with ${kind} as secret`, async (app, t) => {
    // Standard Webhooks compares the time of the message with its own clock.
    app.clock.advance(Date.now() - app.clock.now());
    const { addWebhook, settled } = startDelivering(t, app);
    const taken = new Map<string, Taken>();
    for (const { name, listen } of thirdParties) {
      const posts: Taken = [];
      taken.set(name, posts);
      const take = (body: unknown) => posts.push((body as { data: { post: { title: string } } }).data.post);
      await addWebhook({ url: await serve(t, listen(take, signingSecret)), signingSecret });
    }
    for (const title of TITLES) await app.makePost(title);
    await settled();
    for (const [name, posts] of taken) {
      assert.deepEqual(posts.map(({ title }) => title).sort(), [...TITLES].sort(), name);
    }
    const rows = await app.db.read.selectFrom('deliveries').select(['state', 'attempts']).execute();
    assert.equal(rows.length, thirdParties.length * TITLES.length);
    assert.ok(rows.every(({ state, attempts }) => state === 'delivered' && attempts === 1));
  });
}

test('the same receivers refuse what another secret has signed', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  app.clock.advance(Date.now() - app.clock.now());
  const { addWebhook, settled } = startDelivering(t, app);
  const taken: unknown[] = [];
  for (const { listen } of thirdParties) {
    const url = await serve(
      t,
      listen((body) => taken.push(body), SECRET),
    );
    await addWebhook({ url, signingSecret: 'another secret' });
  }
  await app.makePost(TITLES[0] ?? '');
  await settled();
  assert.deepEqual(taken, []);
  const rows = await app.db.read.selectFrom('attempts').select('status').where('kind', '=', 'event').execute();
  assert.deepEqual(rows.map(({ status }) => status).sort(), [400, 403, 403, 403, 403, 403, 403]);
});

test('whatsapp-api-js confirms with the right verify token, and gives the reason with another or none', async (t) => {
  const app = await makeTestApp(t, 'sqlite');
  const { context, sender, addWebhook } = startDelivering(t, app);
  const whatsApp = new WhatsAppAPI({
    v: 'v24.0',
    token: 'unused',
    appSecret: SECRET,
    webhookVerifyToken: 'tökén +&=%20',
  });
  const url = await serve(t, (request, response) => {
    try {
      response.end(whatsApp.handle_get(request));
    } catch (error) {
      response.writeHead(Number(error)).end();
    }
  });
  assert.equal((await addWebhook({ url, verifyToken: 'tökén +&=%20' })).state, 'active');
  for (const [verifyToken, outcome] of [
    ['wrong', 'verify token refused'],
    [null, 'answered 400'],
  ] as const) {
    const { id } = await createWebhook(context, sender, { url, verifyToken, signingSecret: null, events: null });
    const { webhook, verification } = await enableWebhook(context, sender, id, 'deliver');
    assert.deepEqual([webhook.state, verification?.word], ['disabled', outcome]);
  }
});

/** A receiver around a check of the signature: what does not pass is answered with 403. */
function receive(check: (request: IncomingMessage, body: Buffer) => unknown): RequestListener {
  return async (request, response) => {
    if (request.method === 'GET') return response.end(challengeOf(request));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const isTaken = await Promise.resolve()
      .then(() => check(request, Buffer.concat(chunks)))
      .catch(() => false);
    response.writeHead(isTaken === false ? 403 : 200).end();
  };
}

function confirm(request: Request, response: Response): void {
  response.end(challengeOf(request));
}

function challengeOf({ url = '' }: IncomingMessage): string {
  return new URL(url, 'http://receiver').searchParams.get('hub.challenge') ?? '';
}

async function serve(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onEnd(t, () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
