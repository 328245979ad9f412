export {
  type Client,
  createClient,
  type DryRun,
  eachOf,
  type Page,
  type TypedDocument,
  type UploadedFile,
} from './client.ts';
export { EarshotError, type ErrorCode, type ServerError } from './errors.ts';
export type { EventData, EventType, StreamEvent, WebhookEvent } from './event-types.ts';
export type { EventStream, FollowOptions } from './events.ts';
export type * from './schema.ts';
export type { Select, Selected } from './select.ts';
export { type SsoReturn, type SsoUser, signSsoToken, ssoUrl } from './sso.ts';
export type { ActingUser, Answer, CallOptions, ClientOptions, DryRunEffects } from './transport.ts';
export {
  confirmWebhook,
  type RequestHeaders,
  type VerifiedEvent,
  verifyWebhook,
  WebhookError,
  type WebhookRequest,
} from './webhooks.ts';
