import { formatMs, formatTime } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Exchange } from './exchange.tsx';
import type { ExchangeView } from './webhooks.ts';

/** A verification as steps, each done, failed or not reached; for a failed one, with the request and the response. */
export function Verification({ exchange }: { exchange: ExchangeView }) {
  const l = useLocale();
  const { request, answer, outcome, isGood: isVerified, diagnosis, timings, date } = exchange;
  const milliseconds = formatMs(l, timings.firstByte ?? timings.total);
  const line = `${request.method} ${request.url}`;
  const isSent = answer !== null || timings.connect !== null || timings.firstByte !== null;
  // A chat is sent a message, and may accept it with any 2xx.
  const isMessage = request.method === 'POST';
  const isAnswered = answer !== null && (answer.status === 200 || (isMessage && isVerified));
  const steps: [State, string][] = [
    [isSent ? 'done' : 'failed', isSent ? m.stepSent(l, { url: line }) : m.stepNotSent(l, { url: line })],
    [
      isAnswered ? 'done' : isSent ? 'failed' : 'open',
      answer ? m.stepAnswered(l, { status: String(answer.status), time: milliseconds }) : m.stepNoAnswer(l),
    ],
    [isVerified ? 'done' : isAnswered ? 'failed' : 'open', wordsOf(isVerified)],
  ];
  return (
    <div className="stack verification">
      <ol className="verification-steps">
        {steps.map(([state, words]) => (
          <li key={words} data-state={state}>
            <span className="visually-hidden">{stateWords(state)}</span>
            <span className="break">{state === 'open' ? <span className="muted">{words}</span> : words}</span>
          </li>
        ))}
      </ol>
      {!isVerified && (
        <>
          <p className="note" data-kind="error">
            <strong>{outcome}</strong>. {diagnosis}
          </p>
          <Exchange exchange={exchange} />
        </>
      )}
      <p className="muted small">{formatTime(l, date)}</p>
    </div>
  );

  function wordsOf(isDone: boolean): string {
    if (isMessage) return isDone ? m.stepTaken(l) : m.stepTakenNot(l);
    return isDone ? m.stepMatches(l) : m.stepMatchesNot(l);
  }

  function stateWords(state: State): string {
    return { done: m.stepDone(l), failed: m.stepFailed(l), open: m.stepOpen(l) }[state];
  }
}

type State = 'done' | 'failed' | 'open';
