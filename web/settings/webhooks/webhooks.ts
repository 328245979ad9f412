import type { LoaderFunctionArgs } from 'react-router';
import { listStatuses } from '#src/feedback/statuses/statuses.ts';
import { listTags } from '#src/feedback/tags/tags.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { chatEvents, chosenKinds, guessKind, isChat, type WebhookKind } from '#src/webhooks/chat/kinds.ts';
import type { AttemptRow, LoggedAnswer, LoggedRequest } from '#src/webhooks/delivery/attempts.ts';
import type { Timings } from '#src/webhooks/http/exchange.ts';
import { manageWebhooks, webhookSecretMakers } from '#src/webhooks/managing/managing.ts';
import { eventsOf, idsIn } from '#src/webhooks/webhook/filters.ts';
import { isTroubled } from '#src/webhooks/webhook/health.ts';
import { healthOf } from '#src/webhooks/webhook/health-columns.ts';
import { requireWebhook, type WebhookRow } from '#src/webhooks/webhook/webhooks.ts';
import { localizeOutcome, localizeStored } from '../../lib/localize.ts';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { requireMember } from '../../parts/requests/member.ts';

type Args = Pick<LoaderFunctionArgs, 'context' | 'params' | 'request' | 'url'>;

/** The webhook of a URL, for a user who may manage it, and what they may do with it. */
export async function openWebhook(args: Args) {
  const { visit, context } = await requireMember(args, 'webhook.manage');
  const { db, sender, log } = visit;
  const row = await orErrorPage(requireWebhook(db.read, context.board.id, args.params.webhook ?? ''));
  const here = `/b/${context.board.pid}/settings/webhooks/${row.id}`;
  return { visit, context, row, here, webhooks: manageWebhooks(context, sender, log) };
}

/** The state of a webhook; automatic disabling is a separate one. */
export type WebhookState = WebhookRow['state'] | 'troubled' | 'stopped' | 'new';

/** The state of a webhook as pages show it. */
export function webhookState(row: WebhookRow): WebhookState {
  const { state, disabled_by } = row;
  if (state === 'active' && isTroubled(healthOf(row))) return 'troubled';
  if (state !== 'disabled') return state;
  return disabled_by === null ? 'new' : disabled_by === 'service' ? 'stopped' : 'disabled';
}

/** The properties of a webhook with form fields, and their version. */
export type WebhookFields = {
  kind: WebhookKind;
  /** Of a chat, whose URL is a secret, only a part. */
  url: string;
  events: string[] | null;
  statusIds: string[] | null;
  tagIds: string[] | null;
  version: number;
};

/** The fields of a webhook as it is. */
export function fieldsOfWebhook(row: WebhookRow): WebhookFields {
  return {
    kind: row.kind,
    url: row.url,
    events: eventsOf(row),
    statusIds: idsIn(row.status_ids),
    tagIds: idsIn(row.tag_ids),
    version: row.date_updated,
  };
}

type Named = { id: string; name: string };

/** What events of ideas can be narrowed by. */
export type Narrowings = { statuses: Named[]; tags: Named[] };

/** The statuses and tags of the board, for the form. */
export async function readNarrowings({ db, board, actor }: ActorContext): Promise<Narrowings> {
  const named = ({ id, name }: Named) => ({ id, name });
  return {
    statuses: (await listStatuses(db.read, board.id)).map(named),
    tags: (await listTags(db.read, board.id, actor)).map(named),
  };
}

/** The kind from a form; if none is chosen, what the URL looks like. */
export function parseKind(form: Record<string, string>): WebhookKind {
  return chosenKinds.find((kind) => kind === form.kind) ?? guessKind(form.url ?? '');
}

/**
 * The events from a form, including unknown ones, which saving refuses; null: all. Those that the form shows but chats
 * are not sent are left out.
 */
export function parseEvents(form: Record<string, string>, kind: WebhookKind): string[] | null {
  if (form.events !== 'some') return null;
  const names = chosenIn(form, 'event:');
  return isChat(kind) ? names.filter((name) => chatEvents.some((event) => event === name)) : names;
}

/** The statuses and tags from a form; null, if none is chosen: all. */
export function parseNarrowing(form: Record<string, string>) {
  const orAll = (ids: string[]) => (ids.length === 0 ? null : ids);
  return { statuses: orAll(chosenIn(form, 'status:')), tags: orAll(chosenIn(form, 'tag:')) };
}

function chosenIn(form: Record<string, string>, prefix: string): string[] {
  const names = Object.keys(form).filter((name) => name.startsWith(prefix) && form[name] === 'on');
  return names.map((name) => name.slice(prefix.length));
}

/** The secret from a form: a generated one, a typed one, none, or the current one (undefined). */
export function parseSecret(
  form: Record<string, string>,
  name: keyof typeof webhookSecretMakers,
): string | null | undefined {
  switch (form[`${name}How`]) {
    case 'make':
      return webhookSecretMakers[name]();
    case 'own':
      return form[name] ?? '';
    case 'none':
      return null;
    default:
      return undefined;
  }
}

/** A request to a receiver, and its result. */
export type ExchangeView = {
  id: string;
  number: number;
  date: number;
  outcome: string;
  isGood: boolean;
  diagnosis: string;
  request: LoggedRequest;
  answer: LoggedAnswer | null;
  timings: Timings;
};

/** A line of the log, read. */
export function viewAttempt(row: AttemptRow): ExchangeView {
  const { id, number, outcome, date_created: date } = row;
  return {
    id,
    number,
    date,
    outcome: localizeOutcome(outcome),
    isGood: /^(delivered|verified)/.test(outcome),
    diagnosis: localizeStored(row.diagnosis, row.said),
    request: JSON.parse(row.request),
    answer: row.answer === null ? null : JSON.parse(row.answer),
    timings: JSON.parse(row.timings),
  };
}
