import { formatMs } from '../../i18n/measures.ts';
import * as m from '../../i18n/messages.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Scrollable } from '../../parts/team/code.tsx';
import type { ExchangeView } from './webhooks.ts';

/** A request and its response side by side, as they were on the wire. */
export function Exchange({ exchange: { request, answer, outcome } }: { exchange: ExchangeView }) {
  const l = useLocale();
  const head = [`${request.method} ${request.url}`, ...Object.entries(request.headers).map(headerLine)];
  return (
    <div className="sides">
      <Wire title={m.request(l)} text={head.join('\n')} />
      {answer ? (
        <Wire
          title={m.answer(l)}
          text={[String(answer.status), ...answer.headers.map(headerLine), '', answer.body].join('\n')}
          note={answer.isCut ? m.answerCut(l) : null}
        />
      ) : (
        <Wire title={m.answer(l)} text={m.noAnswer(l, { outcome })} />
      )}
    </div>
  );
}

function headerLine([name, value]: readonly [string, string]): string {
  return `${name}: ${value}`;
}

function Wire({ title, text, note = null }: { title: string; text: string; note?: string | null }) {
  return (
    <div className="stack tight">
      <p className="label small">{title}</p>
      <Scrollable text={text} label={title} />
      {note && <p className="muted small">{note}</p>}
    </div>
  );
}

/** How long each phase of an exchange took; phases that it did not have or reach are omitted. */
export function Phases({ timings }: { timings: ExchangeView['timings'] }) {
  const l = useLocale();
  const names = { dns: m.phaseDns(l), connect: m.phaseConnect(l), tls: m.phaseTls(l), firstByte: m.phaseFirstByte(l) };
  let begin = 0;
  const phases = (['dns', 'connect', 'tls', 'firstByte'] as const).flatMap((name) => {
    const end = timings[name];
    if (end === null) return [];
    const milliseconds = Math.max(0, end - begin);
    begin = end;
    return [{ name, milliseconds }];
  });
  const rest = Math.max(0, timings.total - begin);
  const total = Math.max(1, timings.total);
  return (
    <dl className="phases small">
      {[...phases, { name: 'rest' as const, milliseconds: rest }].map(({ name, milliseconds }) => (
        <div key={name}>
          <dt>{name === 'rest' ? m.phaseRest(l) : names[name]}</dt>
          <dd>
            <span className="phase-bar" style={{ inlineSize: `${(100 * milliseconds) / total}%` }} />
            <span>{formatMs(l, milliseconds)}</span>
          </dd>
        </div>
      ))}
      <div>
        <dt>{m.phaseTotal(l)}</dt>
        <dd>
          <span>{formatMs(l, timings.total)}</span>
        </dd>
      </div>
    </dl>
  );
}
