import type * as z from 'zod';
import { AppError } from '../../platform/errors.ts';
import { findBody, listDeliveries, listLatestAttempts } from '../../webhooks/log/log.ts';
import {
  describeAttempt,
  describeDelivery,
  describeTest,
  describeVerification,
} from '../../webhooks/managing/describing.ts';
import type { Verified } from '../../webhooks/managing/enabling.ts';
import { makeSigningSecret } from '../../webhooks/signing/secret.ts';
import { requireWebhook } from '../../webhooks/webhook/webhooks.ts';
import type { Call } from './call.ts';
import { create } from './creating.ts';
import * as s from './schemas.ts';
import { view, viewAll } from './viewing.ts';

/** One thing that can be done with webhooks: its place, what it takes and gives, and how it is carried out. */
export type Operation = {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** After `/api/v1/webhooks`. */
  path: string;
  summary: string;
  /** What the body, or for GET the query, may contain. */
  input: z.ZodType;
  /** Without one the response has no body. */
  output: z.ZodType | null;
  /** Whether it waits for a name server or a receiver. */
  reachesOut: boolean;
  run(call: Call, input: never): Promise<unknown>;
};

type Options = { reachesOut?: boolean };

/** @param place the method and the path */
function define<In extends z.ZodType, Out extends z.ZodType>(
  [id, place, summary]: [id: string, place: `${Operation['method']} ${string}`, summary: string],
  [input, output]: [In, Out | null],
  run: (call: Call, input: z.output<In>) => Promise<z.input<Out>>,
  { reachesOut = false }: Options = {},
): Operation {
  const [method, path = ''] = place.split(' ') as [Operation['method'], string?];
  return { id, method, path, summary, input, output, reachesOut, run };
}

const ONE = '/:webhook';
const DELIVERIES = `${ONE}/deliveries`;
const DELIVERY = `${DELIVERIES}/:delivery`;
const outside: Options = { reachesOut: true };
/** The schedule of retries has eleven attempts. */
const SHOWN_ATTEMPTS = 20;

/** Everything that a key can do with webhooks. */
export const operations: readonly Operation[] = [
  define(['listWebhooks', 'GET ', 'The webhooks of the board'], [s.Nothing, s.Webhooks], async (call) => ({
    webhooks: await viewAll(call),
  })),
  define(
    ['createWebhook', 'POST ', 'Create a webhook, verify its receiver and enable it'],
    [s.NewWebhook, s.CreatedWebhook],
    create,
    outside,
  ),
  define(['getWebhook', `GET ${ONE}`, 'A webhook and its health'], [s.Nothing, s.Webhook], (call) =>
    view(call, call.webhookId),
  ),
  define(
    ['updateWebhook', `PATCH ${ONE}`, 'Change a webhook; a new URL or token of an enabled one is verified first'],
    [s.WebhookChanges, s.Webhook],
    async (call, { url, events, statuses, tags, verifyToken, version }) => {
      const changes = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(statuses !== undefined && { statuses }),
        ...(tags !== undefined && { tags }),
        ...(verifyToken !== undefined && { verifyToken }),
        ...(version !== undefined && { version }),
      };
      return viewVerified(call, await call.webhooks.update(call.webhookId, changes));
    },
    outside,
  ),
  define(
    ['deleteWebhook', `DELETE ${ONE}`, 'Delete a webhook with its deliveries and log'],
    [s.Nothing, null],
    (call) => call.webhooks.delete(call.webhookId),
  ),
  define(
    ['enableWebhook', `POST ${ONE}/enable`, 'Verify the receiver and enable the webhook'],
    [s.Enabling, s.Webhook],
    async (call, { backlog }) => viewVerified(call, await call.webhooks.enable(call.webhookId, backlog)),
    outside,
  ),
  define(
    ['disableWebhook', `POST ${ONE}/disable`, 'Stop a webhook; pending deliveries are kept'],
    [s.Nothing, s.Webhook],
    async (call) => view(call, (await call.webhooks.disable(call.webhookId)).id),
  ),
  define(
    ['testWebhook', `POST ${ONE}/test`, 'Send a test event now; if accepted, a pending secret becomes active'],
    [s.Nothing, s.Test],
    async (call) => {
      const { id: deliveryId, ...result } = describeTest(await call.webhooks.test(call.webhookId));
      return { ...result, deliveryId, webhook: await view(call, call.webhookId) };
    },
    outside,
  ),
  define(
    [
      'rotateSecret',
      `POST ${ONE}/rotate-secret`,
      'Replace the signing secret; of an enabled webhook once it is accepted',
    ],
    [s.NewSecret, s.RotatedWebhook],
    async (call, { signingSecret = makeSigningSecret(), immediately }) => {
      const changes = { signingSecret, replacesSecretNow: immediately };
      const { webhook } = await call.webhooks.update(call.webhookId, changes);
      return { ...(await view(call, webhook.id)), signingSecret };
    },
  ),
  define(
    ['settleSecret', `POST ${ONE}/settle-secret`, 'End the time in which two signing secrets are in use'],
    [s.PendingSecret, s.Webhook],
    async (call, { use }) => {
      const { id } = await call.webhooks.settlePending(call.webhookId, use === 'new' ? 'adopt' : 'discard');
      return view(call, id);
    },
  ),
  define(
    ['listDeliveries', `GET ${DELIVERIES}`, 'Deliveries of a webhook'],
    [s.DeliveryFilter, s.Deliveries],
    listPage,
  ),
  define(
    ['getDelivery', `GET ${DELIVERY}`, 'A delivery with what is sent and its latest attempts'],
    [s.Nothing, s.DeliveryLog],
    async (call) => {
      const { db, board } = call.context;
      const row = await call.webhooks.delivery(call.webhookId, call.deliveryId);
      const attempts = await listLatestAttempts(db.read, board.id, row.id, SHOWN_ATTEMPTS);
      return { ...describeDelivery(row), body: await findBody(db.read, row), log: attempts.map(describeAttempt) };
    },
  ),
  define(
    ['resendDelivery', `POST ${DELIVERY}/resend`, 'Send a delivery again, in its place among those of its post'],
    [s.Nothing, s.Delivery],
    async (call) => {
      const { id } = await call.webhooks.delivery(call.webhookId, call.deliveryId);
      return describeDelivery(await call.webhooks.replay(id));
    },
  ),
];

/** @throws VERIFICATION_FAILED with the verification, if there was one and the receiver did not confirm */
async function viewVerified(call: Call, { webhook, verification }: Verified): Promise<z.input<typeof s.Webhook>> {
  if (!verification || verification.kind === 'verified') return view(call, webhook.id);
  const extensions = { verification: describeVerification(verification) };
  throw new AppError('VERIFICATION_FAILED', verification.reason, extensions);
}

async function listPage(
  { context: { db, board }, webhookId }: Call,
  { state, event, cursor, limit }: z.output<typeof s.DeliveryFilter>,
): Promise<z.input<typeof s.Deliveries>> {
  const { id } = await requireWebhook(db.read, board.id, webhookId);
  const found = await listDeliveries(db.read, board.id, id, {
    limit: limit + 1,
    ...(state && { states: [state] }),
    ...(event !== undefined && { eventType: event }),
    ...(cursor !== undefined && { before: cursor }),
  });
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit;
  return { deliveries: shown.map(describeDelivery), hasMore, cursor: hasMore ? (shown.at(-1)?.id ?? null) : null };
}
