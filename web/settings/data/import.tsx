import { cancelJob, discardJob } from '#src/operations/imports/jobs.ts';
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
import { type LastImportView, readChoices, readStatusChoices, viewImport } from './imports.ts';
import { ImportJob, RunningImport } from './job.tsx';

const COMMANDS = `read -rs CANNY_API_KEY && export CANNY_API_KEY
npm run -s earshot -- import https://canny.io/api/v1 --from canny --plan

npm run -s earshot -- import ideas.csv --plan`;

/** What the upload may have reported, see `src/pages/import-upload.ts`. */
const problems = {
  'too-large': m.importTooLarge,
  empty: m.importEmpty,
  busy: m.importBusy,
  'not-received': m.importNotReceived,
};

export const loader = memberLoader('board.edit', async ({ context }, args) => {
  const problem = args.url.searchParams.get('problem');
  const megabytes = MAX_IMPORT_BYTES / 1_048_576;
  return { ...(await viewImport(context)), problem, megabytes, upload: `/b/${context.board.pid}/settings/import/file` };
});

export const action = memberAction('board.edit', async ({ visit, context, form }) => {
  const { imports } = visit;
  if (form.intent === 'columns') await imports.planAgain(context, readChoices(form), form.job);
  else if (form.intent === 'statuses') await imports.planAgain(context, readStatusChoices(form), form.job);
  else if (form.intent === 'proceed') await imports.proceed(context, form.job);
  else if (form.intent === 'undo') await imports.undo(context);
  else if (form.intent === 'discard') await discardJob(context, form.job);
  else if (form.intent === 'cancel') await cancelJob(context);
  throw redirect(`/b/${context.board.pid}/settings/import`);
});

/** Ideas from another product: a file is uploaded, its plan is shown, and then it is imported. */
export default function Import() {
  const { job, isOpen, last, problem, megabytes, upload } = useLoaderData<typeof loader>();
  const answer = formAnswerOf(useActionData<typeof action>());
  const l = useLocale();
  const wrong = ownOf(problems, problem ?? '');
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
  const { source, date, posts, changed, runs } = last;
  return (
    <section className="stack last-import" aria-labelledby="last">
      <h2 id="last">{m.importLast(l)}</h2>
      <p>{m.importLastWas(l, { count: posts, product: source })}</p>
      {runs > 1 && <p>{m.importLastJoined(l, { count: runs })}</p>}
      <p className="muted small">
        <Time date={date} />
      </p>
      {changed > 0 ? (
        <p className="muted">{m.importChanged(l, { count: changed })}</p>
      ) : (
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
