import { Link, type LoaderFunctionArgs, redirect, useActionData, useLoaderData } from 'react-router';
import type { LoggedRequest } from '#src/webhooks/delivery/attempts.ts';
import { findBody, listAttempts } from '#src/webhooks/log/log.ts';
import { resendRefusals } from '#src/webhooks/managing/managing.ts';
import { formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { localize } from '../../lib/localize.ts';
import { Checkbox, PageForm, Submit } from '../../parts/forms/form.tsx';
import { orErrorPage } from '../../parts/requests/failure.ts';
import { answerForm, formAnswerOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { formAction } from '../../parts/requests/member.ts';
import { reportDone } from '../../parts/requests/toasts.ts';
import { CodeBlock, Scrollable } from '../../parts/team/code.tsx';
import { Exchange, Phases } from './exchange.tsx';
import { layOutJson } from './json.ts';
import { DeliveryStateName } from './state.tsx';
import { type ExchangeView, openWebhook, viewAttempt } from './webhooks.ts';

export async function loader(args: LoaderFunctionArgs) {
  const { visit, context, row, here, webhooks } = await openWebhook(args);
  const { db } = visit;
  const delivery = await orErrorPage(webhooks.delivery(row.id, args.params.delivery ?? ''));
  const attempts = await listAttempts(db.read, context.board.id, delivery.id);
  const isSending = delivery.lease_token !== null;
  return {
    here,
    event: delivery.event_type,
    eventId: delivery.event_id,
    state: isSending ? ('sending' as const) : delivery.state,
    created: delivery.date_created,
    next: delivery.state === 'waiting' && !isSending ? delivery.date_due : null,
    isTest: delivery.event_seq === null,
    isEnabled: row.state !== 'disabled',
    body: await findBody(db.read, delivery),
    attempts: attempts.map(viewAttempt),
  };
}

export const action = formAction(openWebhook, async ({ visit, row, here, webhooks, form }, args) => {
  const delivery = await orErrorPage(webhooks.delivery(row.id, args.params.delivery ?? ''));
  if (delivery.state === 'delivered' && form.again !== 'on') {
    return answerForm(form, localize(resendRefusals.delivered.text, resendRefusals.delivered));
  }
  await webhooks.replay(delivery.id);
  throw redirect(reportDone(visit, `${here}/deliveries/${delivery.id}?done=replayed`));
});

/** One delivery: what was sent, byte for byte, and every attempt to send it. */
export default function WebhookDelivery() {
  const delivery = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const { here, event, eventId, state, created, next, isTest, isEnabled, body, attempts } = delivery;
  return (
    <div className="stack sections wide">
      <div className="stack">
        <p>
          <Link to={here}>{m.allDeliveries(l)}</Link>
        </p>
        <h2>{event}</h2>
        <p className="row small">
          <DeliveryStateName state={state} />
          <span className="muted">{formatTime(l, created, 'medium')}</span>
          <code className="break">{eventId}</code>
          {next !== null && <span className="muted">{m.nextAttempt(l, { time: formatTime(l, next, 'medium') })}</span>}
        </p>
        {isEnabled && !isTest && state !== 'sending' && (
          <PageForm answer={answer}>
            {state === 'delivered' && <Checkbox name="again" label={m.replayAgain(l)} />}
            <div className="row">
              <Submit kind="plain">{state === 'waiting' ? m.tryNow(l) : m.replay(l)}</Submit>
            </div>
          </PageForm>
        )}
      </div>
      {body !== null && (
        <section className="stack" aria-labelledby="body">
          <h2 id="body">{m.bodySent(l)}</h2>
          <Scrollable text={layOutJson(body)} label={m.bodySent(l)} />
          <details>
            <summary>{m.bodyExact(l)}</summary>
            <CodeBlock text={body} label={`${m.bodySent(l)} (${m.bytes(l, { count: body.length })})`} />
          </details>
        </section>
      )}
      <section className="stack" aria-labelledby="attempts">
        <h2 id="attempts">{m.attempts(l)}</h2>
        {attempts.length === 0 && <p className="empty">{m.noAttempts(l)}</p>}
        <ol className="timeline">
          {attempts.toReversed().map((attempt) => (
            <AttemptEntry key={attempt.id} attempt={attempt} body={body} />
          ))}
        </ol>
      </section>
    </div>
  );
}

function AttemptEntry({ attempt, body }: { attempt: ExchangeView; body: string | null }) {
  const l = useLocale();
  const { number, date, outcome, isGood, diagnosis, request } = attempt;
  const curl = body === null ? null : curlLine(request, body);
  return (
    <li className="stack" data-state={isGood ? 'done' : 'failed'}>
      <div className="stack tight">
        <h3>
          {m.attemptNumber(l, { number })}: {outcome}
        </h3>
        <p className="muted small">{formatTime(l, date, 'medium')}</p>
        <p>{diagnosis}</p>
      </div>
      <Phases timings={attempt.timings} />
      <details>
        <summary>{m.requestAndAnswer(l)}</summary>
        <div className="stack">
          <Exchange exchange={attempt} />
          {curl && <CodeBlock text={curl} label={m.signedCurl(l)} />}
        </div>
      </details>
    </li>
  );
}

/** A request with its signatures as a line for a terminal. The body is sent byte for byte. */
function curlLine({ method, url, headers }: LoggedRequest, body: string): string {
  const options = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ['curl', '-i', '-X', method, quote(url), ...options, '--data-binary', quote(body)].join(' ');
}

/** A text as one word of a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
