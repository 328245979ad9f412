import { useEffect } from 'react';
import { Link, useRevalidator } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Columns } from './columns.tsx';
import type { JobView } from './imports.ts';
import { ImportDetails, ImportSummary } from './result.tsx';
import { Statuses } from './statuses.tsx';

/** How often the page asks for the progress. */
const REFRESH_MS = 2_000;

type Props = { job: JobView; answer: FormAnswer | undefined };

/** The progress of a job, which can be canceled. The job runs without the page. */
export function RunningImport({ job: { task, file, items, total }, answer }: Props) {
  const l = useLocale();
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const timer = setInterval(revalidate, REFRESH_MS);
    return () => clearInterval(timer);
  }, [revalidate]);
  const title = { PLAN: m.importPlanning(l, { file }), IMPORT: m.importRunning(l, { file }), UNDO: m.importUndoing(l) };
  const done = total === null || task === 'PLAN' ? null : Math.min(items, total);
  return (
    <section className="stack importing" aria-labelledby="running">
      <h2 id="running">{title[task]}</h2>
      <progress value={done ?? undefined} max={total ?? undefined} aria-labelledby="running" />
      <p className="small numbers">
        {done === null ? m.importItems(l, { count: items }) : m.importItemsOf(l, { done, total: total ?? done })}
      </p>
      <p className="muted small">{m.importMayLeave(l)}</p>
      <noscript>
        <Link to="." reloadDocument>
          {m.importRefresh(l)}
        </Link>
      </noscript>
      <PageForm answer={answer} intent="cancel">
        <Submit kind="plain">{m.cancel(l)}</Submit>
      </PageForm>
    </section>
  );
}

/** What came of a job, and what can be done next. */
export function ImportJob({ job, answer }: Props) {
  const l = useLocale();
  const { task, state, isPlanned, product, file } = job;
  const isRefused = task === 'PLAN' && state === 'FAILED';
  // What was recognized as a whole, or chosen, needs no second look.
  const needsLook = isRefused || product === 'CSV' || job.reading?.dates === 'ASK';
  const canProceed = isPlanned || (task !== 'UNDO' && state !== 'DONE' && !isRefused);
  return (
    <section className="stack" aria-labelledby="job">
      <h2 id="job">
        <bdi>{titleOf()}</bdi>
      </h2>
      <Ending job={job} />
      {isPlanned && <p className="muted">{m.importPlanHelp(l, { file, product: product ?? '' })}</p>}
      {job.report && <ImportSummary report={job.report} />}
      <PageForm answer={answer}>
        <input type="hidden" name="job" value={job.id} />
        <input type="hidden" name="before" value={job.chosen} />
        <div className="row">
          {canProceed && (
            <Submit name="intent" value="proceed">
              {isPlanned ? m.importStart(l) : m.importProceed(l)}
            </Submit>
          )}
          <Submit kind="plain" name="intent" value="discard">
            {canProceed ? m.importDiscard(l) : m.importClose(l)}
          </Submit>
        </div>
        {job.reading && <Columns reading={job.reading} isOpen={needsLook || answer !== undefined} />}
        {job.statuses && <Statuses statuses={job.statuses} />}
      </PageForm>
      {job.report && <ImportDetails report={job.report} problems={job.problems} isPlan={task === 'PLAN'} />}
    </section>
  );

  function titleOf(): string {
    if (task === 'UNDO') return m.importUndo(l);
    if (state !== 'DONE') return file;
    return task === 'PLAN' ? m.importPlan(l) : m.importResult(l);
  }
}

function Ending({ job: { task, state, items, message } }: { job: JobView }) {
  const l = useLocale();
  if (state === 'DONE' && task === 'UNDO') return <p role="status">{m.importUndone(l, { count: items })}</p>;
  if (state === 'DONE') return null;
  const words = { FAILED: m.importFailed(l), CANCELED: m.importCanceled(l), STOPPED: m.importStopped(l), RUNNING: '' };
  return (
    <div className="note" data-kind={state === 'CANCELED' ? undefined : 'error'} role="status">
      <p>{words[state]}</p>
      {message && (
        <p>
          <bdi lang={task === 'UNDO' ? undefined : 'en'}>{message}</bdi>
        </p>
      )}
      {task === 'IMPORT' && <p>{m.importStays(l)}</p>}
    </div>
  );
}
