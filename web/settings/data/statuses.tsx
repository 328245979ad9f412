import './columns.css';
import * as m from '../../i18n/messages.ts';
import { PageForm, Select, Submit } from '../../parts/forms/form.tsx';
import type { FormAnswer } from '../../parts/requests/forms.ts';
import { useLocale } from '../../parts/requests/locale.ts';
import { Table } from '../../parts/show/table.tsx';
import type { StatusesView } from './imports.ts';

type Props = { job: string; statuses: StatusesView; answer: FormAnswer | undefined };

/** Which status of the board stands for each of the file, to be corrected. */
export function Statuses({ job, statuses: { rows, ofBoard }, answer }: Props) {
  const l = useLocale();
  const optionsFor = (name: string) => ({
    ...ofBoard,
    ...(!(name in ofBoard) && { [name]: m.importStatusNew(l, { name }) }),
  });
  return (
    <details className="columns" open={rows.some(({ status }) => !(status in ofBoard))}>
      <summary>{m.importStatusesOf(l)}</summary>
      <PageForm answer={answer} intent="statuses">
        <input type="hidden" name="job" value={job} />
        <p className="muted">{m.importStatusesHelp(l)}</p>
        <Table
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: m.importStatusThere(l), cell: ({ name }) => <bdi>{name}</bdi> },
            {
              name: m.importStatusHere(l),
              cell: ({ name, status }) => (
                <Select
                  name={`status ${name}`}
                  label={`${m.importStatusHere(l)}: ${name}`}
                  isLabelHidden
                  defaultValue={status in ofBoard ? status : name}
                  options={optionsFor(name)}
                />
              ),
            },
          ]}
        />
        <Submit kind="plain">{m.importCheckAgain(l)}</Submit>
      </PageForm>
    </details>
  );
}
