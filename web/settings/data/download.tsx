import { type FormEvent, useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../i18n/format.ts';
import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { Checkbox } from '../../parts/forms/form.tsx';
import { Radios } from '../../parts/forms/settings-fields.tsx';
import { useLocale } from '../../parts/requests/locale.ts';
import { download } from './download.ts';

/** How often the figures change; faster could not be read. */
const SHOWN_EVERY_MS = 200;

type State =
  | { kind: 'idle' | 'cancelled' | 'broken' }
  | { kind: 'running'; done: number; secondsLeft: number | null }
  | { kind: 'finished'; done: number; bytes: number };

/**
 * Downloads the board as a file. Without scripts the browser does; with them the page shows progress and can cancel.
 */
export function Download({ action, posts }: { action: string; posts: number }) {
  const prefix = usePrefix();
  const l = useLocale();
  const [state, setState] = useState<State>({ kind: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const url = new URL(form.action);
    for (const [name, value] of new FormData(form)) url.searchParams.set(name, String(value));
    const controller = new AbortController();
    running.current = controller;
    const progress = trackProgress(posts, (done, secondsLeft) => setState({ kind: 'running', done, secondsLeft }));
    progress.report(0);
    try {
      const bytes = await download(url, controller.signal, progress.report);
      // The response is a page, for example to sign in: the browser shows it.
      if (bytes === null) form.submit();
      else setState({ kind: 'finished', done: progress.done(), bytes });
    } catch {
      setState({ kind: controller.signal.aborted ? 'cancelled' : 'broken' });
    }
  }

  return (
    <div className="stack download">
      <form method="get" action={prefix + action} onSubmit={start} className="stack">
        <Radios
          name="format"
          legend={m.exportFormat(l)}
          defaultValue="csv"
          options={{ csv: m.exportCsv(l), jsonl: m.exportJsonl(l) }}
        />
        <div>
          <Checkbox name="comments" label={m.exportComments(l)} defaultChecked />
          <Checkbox name="votes" label={m.exportVotes(l)} defaultChecked />
        </div>
        <button type="submit" className="button" data-kind="primary" disabled={state.kind === 'running'}>
          {m.exportStart(l)}
        </button>
      </form>
      {state.kind === 'running' && (
        <div className="stack tight">
          <progress value={Math.min(state.done, posts)} max={posts} aria-label={m.exportProgress(l)} />
          <p className="row small numbers">
            <span>{m.exportDoneOf(l, { done: state.done, total: Math.max(posts, state.done) })}</span>
            <span className="muted">{timeLeft(state.secondsLeft)}</span>
            <button type="button" className="button" onClick={() => running.current?.abort()}>
              {m.cancel(l)}
            </button>
          </p>
        </div>
      )}
      <p role="status" className="small">
        {words()}
      </p>
    </div>
  );

  function timeLeft(seconds: number | null): string {
    if (seconds === null) return '';
    return seconds < 90
      ? m.exportSeconds(l, { count: seconds })
      : m.exportMinutes(l, { count: Math.round(seconds / 60) });
  }

  function words(): string {
    switch (state.kind) {
      case 'idle':
        return '';
      case 'running':
        return m.exportBegun(l);
      case 'cancelled':
        return m.exportCancelled(l);
      case 'broken':
        return m.exportBroken(l);
      case 'finished':
        return m.exportFinished(l, { count: state.done, size: formatBytes(l, state.bytes) });
      default:
        return state satisfies never;
    }
  }
}

/** Periodically reports the number of posts, and how many seconds the rest will take at the current speed. */
function trackProgress(posts: number, show: (done: number, secondsLeft: number | null) => void) {
  const startedAt = performance.now();
  let shownAt = -Infinity;
  let last = 0;
  return {
    done: () => last,
    report(done: number) {
      last = done;
      const now = performance.now();
      if (now - shownAt < SHOWN_EVERY_MS) return;
      shownAt = now;
      const rest = Math.max(0, posts - done);
      show(done, done === 0 ? null : Math.ceil((((now - startedAt) / done) * rest) / 1_000));
    },
  };
}
