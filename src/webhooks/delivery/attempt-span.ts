import { inSpan, type Work } from '../../platform/lib/spans.ts';
import type { Claim } from './claim.ts';
import type { Attempt } from './deliver.ts';

/**
 * Makes an attempt of a delivery; while tracing is on, as a span. Its ids find the webhook and the log of its deliveries:
 * the URL may contain a token, in the host name, too.
 * @param send gets the header with which the receiver continues the trace
 */
export function inAttemptSpan(claim: Claim, send: (traceparent?: string) => Promise<Attempt>): Promise<Attempt> {
  return inSpan(describe(claim), async (work) => {
    const attempt = await send(work.traceparent);
    const exchange = attempt.sends.at(-1)?.exchange;
    const { status } = exchange?.answer ?? {};
    if (status !== undefined) work.attributes['http.response.status_code'] = status;
    if (attempt.outcome.kind !== 'delivered') work.attributes['error.type'] = exchange?.fault?.kind ?? String(status);
    return attempt;
  });
}

function describe({ webhook, delivery }: Claim): Work {
  return {
    name: 'POST webhook',
    kind: 'client',
    attributes: {
      'http.request.method': 'POST',
      'http.request.resend_count': delivery.attempts,
      'earshot.board.id': webhook.board_id,
      'earshot.webhook.id': webhook.id,
      'earshot.delivery.id': delivery.id,
      'earshot.event.id': delivery.event_id,
      'earshot.event.type': delivery.event_type,
    },
  };
}
