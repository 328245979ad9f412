import * as z from 'zod';
import { eventTypes } from '../../feedback/event-log/event-types.ts';
import { webhookKinds } from '../../webhooks/chat/kinds.ts';
import { MAX_URL_LENGTH } from '../../webhooks/http/endpoint.ts';
import { TEST_EVENT } from '../../webhooks/managing/test-event.ts';
import { MAX_SECRET_CHARACTERS } from '../../webhooks/webhook/webhooks.ts';

/**
 * What requests about webhooks may contain, and what responses do: requests are validated with these schemas, and the
 * OpenAPI document shows them under these names. Lengths in `meta` are for readers: they are checked where a value is
 * stored, with the same words as on the pages.
 */
export const schemas = z.registry<{ id: string }>();

const MAX_DELIVERIES = 100;
const DEFAULT_DELIVERIES = 20;

const Id = z.string().meta({ format: 'uuid' });
const Time = z.string().meta({ format: 'date-time' });
const Url = z.string().meta({ maxLength: MAX_URL_LENGTH, description: 'URL of the receiver' });
const Secret = z.string().meta({ minLength: 1, maxLength: MAX_SECRET_CHARACTERS });
const Events = z.array(z.enum(eventTypes)).min(1).max(eventTypes.length).nullable();
const EventsToSend = Events.describe('Types of the events to send; null: all, and those of later versions');
const MAX_CHOSEN = 100;
const Names = z.array(z.string()).min(1).max(MAX_CHOSEN).nullable().optional();
const Filters = {
  statuses: Names.describe('Only events of posts with one of these statuses, by id or name; null: all'),
  tags: Names.describe('Only events of posts with one of these tags, by id or name; null: all'),
};

export const NewWebhook = z.strictObject({
  url: Url,
  kind: z
    .enum(webhookKinds)
    .optional()
    .describe(
      'What to send: events, or messages to a chat; by default, by the URL. REST_HOOK: events, to a flow that cannot answer the verification request',
    ),
  events: EventsToSend.optional(),
  ...Filters,
  signingSecret: Secret.nullable()
    .optional()
    .describe('Signs deliveries; generated if it is left out, null for unsigned deliveries. Not for chats'),
  verifyToken: Secret.nullable().optional().describe('Sent with the verification request; none if it is left out'),
  enable: z.boolean().optional().describe('Whether to verify and enable it at once; true if it is left out'),
});

export const WebhookChanges = z.strictObject({
  url: Url.optional(),
  events: EventsToSend.optional(),
  ...Filters,
  verifyToken: Secret.nullable().optional().describe('Sent with the verification request; null for none'),
  version: z.int().optional().describe('Version that the changes are for: if it is not the latest, nothing changes'),
});

export const Enabling = z.strictObject({
  backlog: z.enum(['deliver', 'skip']).default('deliver').describe('What to do with pending events'),
});

export const NewSecret = z.strictObject({
  signingSecret: Secret.nullable()
    .optional()
    .describe('The new secret; generated if it is left out, null for unsigned deliveries'),
  immediately: z.boolean().default(false).describe('Whether to revoke the old secret at once'),
});

export const PendingSecret = z.strictObject({
  use: z.enum(['new', 'old']).describe('Which of the two secrets stays; the other one is revoked'),
});

export const Nothing = z.strictObject({});

const states = ['waiting', 'delivered', 'given_up', 'skipped'] as const;
const deliveryTypes = [...eventTypes, TEST_EVENT] as const;

export const DeliveryFilter = z.strictObject({
  state: z.enum(states).optional().describe('Only deliveries in this state; those being sent are `waiting`'),
  event: z.enum(deliveryTypes).optional().describe('Only deliveries of this event type'),
  cursor: z
    .string()
    .regex(/^[0-9a-f-]{36,49}$/)
    .optional()
    .describe('The `cursor` of the page before'),
  limit: z.coerce.number().int().min(1).max(MAX_DELIVERIES).default(DEFAULT_DELIVERIES).describe('Length of the page'),
});

const Timings = z.record(z.string(), z.number().nullable()).describe('When each phase ended, in milliseconds');
const Exchange = {
  request: z
    .object({ method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) })
    .describe('The request as it was sent; the verify token is redacted'),
  answer: z
    .object({
      status: z.int(),
      headers: z.array(z.array(z.string()).readonly()).readonly(),
      body: z.string(),
      isCut: z.boolean().describe('Whether there was more of the body than was read'),
    })
    .nullable()
    .describe('The response of the receiver; null without one'),
  timings: Timings,
};

export const Verification = z.object({
  ok: z.boolean().describe('Whether the receiver has confirmed'),
  outcome: z.string().describe('The result in a word or two'),
  reason: z.string().describe('What to fix'),
  request: Exchange.request.nullable().describe('The request; null if none was sent'),
  answer: Exchange.answer,
  timings: Timings.nullable(),
});

export const Webhook = z.object({
  id: Id,
  version: z.int().describe('Changes with the configuration; see `version` of a change'),
  kind: z.enum(webhookKinds).describe('What it sends'),
  url: z.string().describe('Of a chat or REST hook only a part: the URL is a secret'),
  state: z.enum(['disabled', 'active', 'failing']),
  events: Events.describe('Types of the events to send; null: all'),
  statusIds: z.array(z.string()).nullable().describe('Only events of posts with one of these statuses; null: all'),
  tagIds: z.array(z.string()).nullable().describe('Only events of posts with one of these tags; null: all'),
  hasVerifyToken: z.boolean(),
  hasSigningSecret: z.boolean(),
  hasPendingSecret: z.boolean().describe('Whether a new signing secret waits to be accepted by the receiver'),
  warning: z.string().nullable(),
  disabledBy: z.enum(['owner', 'service']).nullable().describe('Null if it is not disabled, or was never enabled'),
  disabledReason: z.string().nullable().describe('Why Earshot disabled it'),
  hasManyFailures: z.boolean().describe('Whether many attempts fail, also if others succeed in between'),
  lastDay: z
    .object({ attempts: z.int(), delivered: z.int().describe('Those that the receiver has accepted') })
    .describe('Attempts of the last 24 hours, without tests'),
  failuresInRow: z.int(),
  failingSince: Time.nullable(),
  disablesAt: Time.nullable().describe('When Earshot disables it if it goes on failing'),
  lastFailure: z.string().nullable(),
  dateLastFailure: Time.nullable(),
  dateLastSuccess: Time.nullable(),
  dateCreated: Time,
  dateUpdated: Time,
});

export const Webhooks = z.object({ webhooks: z.array(Webhook).describe('The oldest first') });

export const CreatedWebhook = Webhook.extend({
  signingSecret: z.string().nullable().describe('Shown only here'),
  verifyToken: z.string().nullable().describe('Shown only here'),
  verification: Verification.nullable().describe('Null if none was needed; the webhook is enabled only if it is `ok`'),
});

export const RotatedWebhook = Webhook.extend({
  signingSecret: z.string().nullable().describe('The new secret, shown only here'),
});

export const Test = z.object({
  ok: z.boolean().describe('Whether the receiver has accepted it'),
  outcome: z.string(),
  reason: z.string(),
  status: z.int().nullable().describe('Status of the response'),
  deliveryId: z.string(),
  webhook: Webhook,
});

export const Delivery = z.object({
  id: z.string(),
  event: z.string().describe('Type of the event'),
  eventId: z.string(),
  postId: z.string().nullable(),
  state: z.enum([...states, 'sending']),
  attempts: z.int(),
  outcome: z.string().nullable().describe('Result of the last attempt in a word or two'),
  dateCreated: Time,
  dateNextAttempt: Time.nullable(),
  dateDone: Time.nullable(),
});

export const Deliveries = z.object({
  deliveries: z.array(Delivery).describe('The newest first'),
  hasMore: z.boolean(),
  cursor: z.string().nullable().describe('For the next page; null if there is none'),
});

export const DeliveryLog = Delivery.extend({
  body: z.string().nullable().describe('What every attempt sends, byte for byte'),
  log: z
    .array(
      z.object({
        number: z.int(),
        date: Time,
        outcome: z.string(),
        reason: z.string(),
        ...Exchange,
      }),
    )
    .describe('The latest attempts in their order'),
});

const named = {
  NewWebhook,
  WebhookChanges,
  Enabling,
  NewSecret,
  PendingSecret,
  Nothing,
  Verification,
  Webhook,
  Webhooks,
  CreatedWebhook,
  RotatedWebhook,
  Test,
  Delivery,
  Deliveries,
  DeliveryLog,
};
for (const [id, schema] of Object.entries(named)) schemas.add(schema, { id });
