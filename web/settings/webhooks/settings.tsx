import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { eventTypes } from '#src/feedback/event-log/event-types.ts';
import { boardUrl } from '#src/identity/board/board.ts';
import type { ActorContext } from '#src/identity/users/request-context.ts';
import { describeExample } from '#src/webhooks/chat/describing.ts';
import { writeMessage } from '#src/webhooks/chat/forms.ts';
import { chatEvents, hasSecretUrl, isChat } from '#src/webhooks/chat/kinds.ts';
import type { ChatMessage } from '#src/webhooks/chat/message.ts';
import { manageWebhooks } from '#src/webhooks/managing/managing.ts';
import { findLatestVerification } from '#src/webhooks/verification/verification-log.ts';
import { listWebhooks, type WebhookRow } from '#src/webhooks/webhook/webhooks.ts';
import * as m from '../../i18n/messages.ts';
import { localize } from '../../lib/localize.ts';
import { PageForm, Submit, TextField } from '../../parts/forms/form.tsx';
import { SaveBar } from '../../parts/forms/settings-fields.tsx';
import { Theirs } from '../../parts/forms/versions.tsx';
import { type FormAnswer, formAnswerOf, orFormAnswer, readForm } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { requireMember } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { Scrollable } from '../../parts/team/code.tsx';
import { ChatUrlField, EventFields, Narrowing, UrlField } from './fields.tsx';
import { layOutJson } from './json.ts';
import { Verification } from './verification.tsx';
import {
  type ExchangeView,
  fieldsOfWebhook,
  openWebhook,
  parseEvents,
  parseNarrowing,
  readNarrowings,
  viewAttempt,
  type WebhookFields,
} from './webhooks.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { row, context } = await openWebhook(args);
  return {
    fields: fieldsOfWebhook(row),
    host: row.host,
    isEnabled: row.state !== 'disabled',
    eventTypes: isChat(row.kind) ? chatEvents : eventTypes,
    example: exampleFor(row, context),
    ...(await readNarrowings(context)),
  };
}

/** An example of the messages of a chat, in words and in its form; null for other webhooks. */
function exampleFor({ kind }: WebhookRow, { board, baseUrl }: ActorContext): Example | null {
  if (!isChat(kind)) return null;
  const message = describeExample(board, boardUrl(board, baseUrl));
  return { message, body: writeMessage(kind, message) };
}

/** In addition to the input: what another user has saved in the meantime, or the failed verification. */
type SettingsAnswer = FormAnswer & { saved?: WebhookFields; verification?: ExchangeView };

export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args.request);
  if (form.intent === 'delete') return remove(args, form);
  const { visit, row, here, webhooks, context } = await openWebhook(args);
  const { db } = visit;
  if (form.version !== String(row.date_updated)) {
    const saved = fieldsOfWebhook(row);
    return data({ errors: {}, message: null, values: form, saved } satisfies SettingsAnswer, 409);
  }
  return orFormAnswer(form, async () => {
    const url = form.url ?? '';
    const keepsUrl = url === row.url || (hasSecretUrl(row.kind) && url === '');
    const { verification } = await webhooks.update(row.id, {
      events: parseEvents(form, row.kind),
      ...parseNarrowing(form),
      // An unchanged URL is no reason to verify the receiver again.
      ...(!keepsUrl && { url }),
      version: row.date_updated,
    });
    if (!verification || verification.kind === 'verified')
      throw redirect(reportDone(visit, `${here}/settings?done=saved`));
    const latest = await findLatestVerification(db.read, context.board.id, row.id);
    const answer: SettingsAnswer = {
      errors: { url: localize(verification.reason.text, verification.reason) },
      message: null,
      values: form,
      ...(latest && { verification: viewAttempt(latest) }),
    };
    return data(answer, 422);
  });
}

/** If sent twice, the second finds nothing, as intended. */
async function remove(args: ActionFunctionArgs, form: Record<string, string>) {
  const { visit, context } = await requireMember(args, 'webhook.manage');
  const { db, sender, log } = visit;
  const list = reportDone(visit, `/b/${context.board.pid}/settings/webhooks?done=deleted`);
  const rows = await listWebhooks(db.read, context.board.id);
  const row = rows.find(({ id }) => id === args.params.webhook);
  if (!row) throw redirect(list);
  return orFormAnswer(form, async () => {
    await manageWebhooks(context, sender, log).delete(row.id, form.confirm ?? '');
    throw redirect(list);
  });
}

/** The URL and events of a webhook, and its deletion. */
export default function WebhookSettings() {
  const { fields, host, isEnabled, eventTypes, example, statuses, tags } = useLoaderData<typeof loader>();
  const result: SettingsAnswer | undefined = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const saved = result?.saved;
  return (
    <div className="stack sections narrow">
      <PageForm answer={result} intent="change" isGuarded>
        {saved && (
          <Theirs
            values={[
              [m.endpointUrl(l), saved.url],
              [m.events(l), saved.events?.join(', ') ?? m.eventsAll(l)],
            ]}
          />
        )}
        <input type="hidden" name="version" value={saved?.version ?? fields.version} />
        {example ? <ChatUrlField url={fields.url} /> : <UrlField url={fields.url} />}
        <EventFields events={fields.events} eventTypes={eventTypes} chatEvents={eventTypes} />
        <Narrowing statuses={statuses} tags={tags} statusIds={fields.statusIds} tagIds={fields.tagIds} />
        {isEnabled && <p className="muted small">{m.urlIsVerified(l)}</p>}
        <SaveBar>
          <Submit>{saved ? m.saveMine(l) : m.save(l)}</Submit>
        </SaveBar>
        {result?.verification && <Verification exchange={result.verification} />}
      </PageForm>
      {example && <ExampleMessage {...example} />}
      <section className="stack danger" aria-labelledby="delete">
        <h2 id="delete">{m.deleteWebhook(l)}</h2>
        <p className="muted">{m.deleteWebhookHelp(l)}</p>
        <PageForm answer={result} intent="delete">
          <TextField name="confirm" label={m.typeHost(l, { host })} autoComplete="off" required />
          <Submit kind="danger">{m.deleteWebhook(l)}</Submit>
        </PageForm>
      </section>
    </div>
  );
}

/** A message as chats show it, and as it is sent. */
type Example = { message: ChatMessage; body: string };

/** What a message to a chat looks like, more or less: each chat has its own colors and letters. */
function ExampleMessage({ message: { language, heading, title, text, facts, footer }, body }: Example) {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="preview">
      <h2 id="preview">{m.preview(l)}</h2>
      <p className="muted">{m.messageExample(l)}</p>
      <div className="card stack tight" lang={language} dir="auto">
        <p className="muted small">{heading}</p>
        {title && <p className="label">{title}</p>}
        {facts.map((fact) => (
          <p key={fact}>{fact}</p>
        ))}
        {text && <p>{text}</p>}
        <p className="muted small">{footer}</p>
      </div>
      <details className="fold">
        <summary>{m.bodySent(l)}</summary>
        <Scrollable text={layOutJson(body)} label={m.bodySent(l)} />
      </details>
    </section>
  );
}
