import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
} from 'react-router';
import { eventTypes } from '#src/feedback/event-log/event-types.ts';
import { makeId } from '#src/platform/lib/ids.ts';
import { manageWebhooks } from '#src/webhooks/managing/managing.ts';
import * as m from '../../i18n/messages.ts';
import { formAnswerOf, orFormAnswer, readForm } from '../../lib/forms.ts';
import { useLocale } from '../../lib/locale.ts';
import { requireMember } from '../../lib/member.ts';
import { parseEvents, parseSecret } from '../../lib/webhooks.ts';
import { PageForm, Submit } from '../../ui/form.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { SecretChoice, WebhookFieldset } from '../../ui/webhooks/fields.tsx';

export async function loader(args: LoaderFunctionArgs) {
  await requireMember(args, 'webhook.manage');
  return { id: makeId(), eventTypes: eventTypes };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, context } = await requireMember(args, 'webhook.manage');
  const { sender, log } = visit;
  const form = await readForm(args.request);
  return orFormAnswer(form, async () => {
    const config = {
      url: form.url ?? '',
      events: parseEvents(form),
      signingSecret: parseSecret(form, 'signingSecret') ?? null,
      verifyToken: parseSecret(form, 'verifyToken') ?? null,
    };
    const webhooks = manageWebhooks(context, sender, log);
    const { id } = await webhooks.create(config, visit.webhookForm(form.id ?? ''));
    throw redirect(`/b/${context.board.pid}/settings/webhooks/${id}`);
  });
}

/** Adds a webhook; nothing is sent before its receiver has confirmed. */
export default function WebhookNew() {
  const { id, eventTypes } = useLoaderData<typeof loader>();
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
        <WebhookFieldset fields={{ url: '', events: null }} eventTypes={eventTypes} />
        <SecretChoice name="signingSecret" defaultValue="make" />
        <SecretChoice name="verifyToken" defaultValue="none" />
        <Submit>{m.createWebhook(l)}</Submit>
      </PageForm>
    </div>
  );
}
