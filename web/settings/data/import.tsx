import { cancelJob, discardJob, findJob } from '#src/operations/imports/jobs.ts';
import { MAX_IMPORT_BYTES } from '#src/operations/imports/upload.ts';
import './export.css';
import { redirect, useActionData, useLoaderData } from 'react-router';
import * as m from '../../i18n/messages.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { PageForm, Submit } from '../../parts/forms/form.tsx';
import { FileField } from '../../parts/forms/settings-fields.tsx';
import { type FormAnswer, formAnswerOf, ownOf } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { memberAction, memberLoader } from '../../parts/requests/member.ts';
import { PageTitle } from '../../parts/show/page-title.tsx';
import { Picker } from '../../parts/show/picker.tsx';
import { Time } from '../../parts/show/time.tsx';
import { CodeBlock } from '../../parts/team/code.tsx';
import { isChanged, type LastImportView, readChoices, viewImport } from './imports.ts';
import { ImportJob, RunningImport } from './job.tsx';

const COMMANDS = `read -rs CANNY_API_KEY && export CANNY_API_KEY
npm run -s earshot -- import https://canny.io/api/v1 --from canny --plan

npm run -s earshot -- import ideas.csv --plan`;

/** What came of a form, where that is not what was asked for. */
const notices = { applied: m.importApplied, replaced: m.importReplaced };

/** What the upload may have reported, see `src/pages/import-upload.ts`. */
const problems = {
  'too-large': m.importTooLarge,
  empty: m.importEmpty,
  busy: m.importBusy,
  'not-received': m.importNotReceived,
};

export const loader = memberLoader('board.edit', async ({ context }, args) => {
  const problem = args.url.searchParams.get('problem');
  const notice = args.url.searchParams.get('notice');
  const megabytes = MAX_IMPORT_BYTES / 1_048_576;
  return {
    ...(await viewImport(context)),
    problem,
    notice,
    megabytes,
    upload: `/b/${context.board.pid}/settings/import/file`,
  };
});

export const action = memberAction('board.edit', async ({ visit, context, form }) => {
  const { imports } = visit;
  const { intent, job } = form;
  const home = `/b/${context.board.pid}/settings/import`;
  const isReplaced = job !== undefined && job !== (await findJob(visit.db.read, context.board.id))?.id;
  if (isReplaced) throw redirect(`${home}?notice=replaced`);
  // What was chosen counts also without another look.
  const isNew = intent === 'proceed' && isChanged(form);
  if (intent === 'columns' || isNew) await imports.planAgain(context, readChoices(form), job);
  else if (intent === 'proceed') await imports.proceed(context, job);
  else if (intent === 'undo') await imports.undo(context);
  else if (intent === 'discard') await discardJob(context, job);
  else if (intent === 'cancel') await cancelJob(context);
  throw redirect(isNew ? `${home}?notice=applied` : home);
});

/** Ideas from another product: a file is uploaded, its plan is shown, and then it is imported. */
export default function Import() {
  const { job, isOpen, last, problem, notice, megabytes, upload } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const wrong = ownOf(problems, problem ?? '');
  const said = ownOf(notices, notice ?? '');
  return (
    <div className="stack sections">
      <div className="stack">
        <PageTitle>{m.importTitle(l)}</PageTitle>
        <p className="muted">{m.importHelp(l)}</p>
      </div>
      {wrong && (
        <p className="note" data-kind="error" role="alert">
          {wrong(l, { size: megabytes })}
        </p>
      )}
      {said && (
        <p className="note" role="status">
          {said(l)}
        </p>
      )}
      {job &&
        (job.state === 'RUNNING' ? (
          <RunningImport job={job} answer={answer} />
        ) : (
          <ImportJob key={job.id} job={job} answer={answer} />
        ))}
      {last && <LastImport last={last} answer={answer} />}
      {!isOpen && <Upload action={upload} megabytes={megabytes} />}
      {!isOpen && <OnCommandLine />}
    </div>
  );
}

function Upload({ action, megabytes }: { action: string; megabytes: number }) {
  const prefix = usePrefix();
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="upload">
      <h2 id="upload">{m.importUpload(l)}</h2>
      <p className="muted">{m.importUploadHelp(l)}</p>
      <form method="post" action={prefix + action} encType="multipart/form-data" className="stack">
        <FileField
          name="file"
          label={m.importFile(l)}
          help={m.importFileHelp(l, { size: megabytes })}
          accept=".csv,.tsv,.txt,.zip,.json,.jsonl"
          required
        />
        <button type="submit" className="button" data-kind="primary">
          {m.importCheck(l)}
        </button>
      </form>
    </section>
  );
}

/** What needs keys. */
function OnCommandLine() {
  const l = useLocale();
  return (
    <section className="stack" aria-labelledby="command-line">
      <h2 id="command-line">{m.importElsewhere(l)}</h2>
      <p className="muted">{m.importElsewhereHelp(l)}</p>
      <CodeBlock text={COMMANDS} label={m.importCommands(l)} />
    </section>
  );
}

/** The last import into the board, from wherever it was started, and how to undo it as a whole. */
function LastImport({ last, answer }: { last: LastImportView; answer: FormAnswer | undefined }) {
  const l = useLocale();
  const { source, date, posts, changed, runs, leaves } = last;
  // There is nothing that could be taken back.
  const isOver = posts === 0 && leaves;
  return (
    <section className="stack last-import" aria-labelledby="last">
      <h2 id="last">{m.importLast(l)}</h2>
      <p>{m.importLastWas(l, { count: posts, product: source })}</p>
      {runs > 1 && <p>{m.importLastJoined(l, { count: runs })}</p>}
      {leaves && <p className="muted">{m.importLastStays(l)}</p>}
      <p className="muted small">
        <Time date={date} />
      </p>
      {changed > 0 && <p className="muted">{m.importChanged(l, { count: changed })}</p>}
      {changed === 0 && !isOver && (
        <Picker id="undo-import" label={m.importUndo(l)} className="button" button={m.importUndo(l)}>
          <PageForm answer={answer} intent="undo">
            <p>{m.importUndoHelp(l)}</p>
            <Submit kind="danger">{m.importRemove(l)}</Submit>
          </PageForm>
        </Picker>
      )}
    </section>
  );
}
