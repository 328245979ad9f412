import { Link, redirect, useActionData, useLoaderData } from 'react-router';
import { eventTypes } from '#src/feedback/event-log/event-types.ts';
import { makeId } from '#src/platform/lib/ids.ts';
import { chatEvents, isChat } from '#src/webhooks/chat/kinds.ts';
import { manageWebhooks } from '#src/webhooks/managing/managing.ts';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { EventFields, KindField, Narrowing, SecretChoice, UrlField } from './fields.tsx';
import { parseEvents, parseKind, parseNarrowing, parseSecret, readNarrowings } from './webhooks.ts';

export const loader = memberLoader('webhook.manage', async ({ context }) => {
  return { id: makeId(), eventTypes, chatEvents, ...(await readNarrowings(context)) };
});

export const action = memberAction('webhook.manage', async ({ visit, context, form }) => {
  const { sender, log } = visit;
  const kind = parseKind(form);
  // The form has secrets for every kind; chats take none.
  const secretOf = (name: 'signingSecret' | 'verifyToken') => (isChat(kind) ? null : parseSecret(form, name)) ?? null;
  const config = {
    kind,
    url: form.url ?? '',
    events: parseEvents(form, kind),
    ...parseNarrowing(form),
    signingSecret: secretOf('signingSecret'),
    verifyToken: secretOf('verifyToken'),
  };
  const webhooks = manageWebhooks(context, sender, log);
  const { id } = await webhooks.create(config, visit.webhookForm(form.id ?? ''));
  throw redirect(`/b/${context.board.pid}/settings/webhooks/${id}`);
});

/** Adds a webhook; nothing is sent before its receiver has confirmed. */
export default function WebhookNew() {
  const { id, eventTypes, chatEvents, statuses, tags } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  return (
    <div className="stack">
      <p>
        <Link to="../webhooks">{m.webhooks(l)}</Link>
      </p>
      <PageTitle>{m.createWebhook(l)}</PageTitle>
      <PageForm answer={answer}>
        {/* Redisplayed input keeps the id of its page: sent twice, it creates one webhook. */}
        <input type="hidden" name="id" value={answer?.values.id ?? id} />
        <UrlField url="" />
        <KindField />
        <EventFields events={null} eventTypes={eventTypes} chatEvents={chatEvents} />
        <Narrowing statuses={statuses} tags={tags} />
        <div className="stack no-chat">
          <SecretChoice name="signingSecret" defaultValue="make" />
          <SecretChoice name="verifyToken" defaultValue="none" />
        </div>
        <Submit>{m.createWebhook(l)}</Submit>
      </PageForm>
    </div>
  );
}
