import './columns.css';
import * as m from '../../i18n/messages.ts';
import { Select, Submit } from '../../parts/forms/form.tsx';
import { useLocale } from '../../parts/requests/locale.ts';
import { Table } from '../../parts/show/table.tsx';
import type { StatusesView } from './imports.ts';

/** Which status of the board stands for each of the file, to be corrected. */
export function Statuses({ statuses: { rows, ofBoard, isOpen } }: { statuses: StatusesView }) {
  const l = useLocale();
  const known = new Set(Object.keys(ofBoard).map((name) => name.toLowerCase()));
  const optionsFor = (name: string, value: string) => ({
    ...(value === '' && { '': m.importUnused(l) }),
    ...ofBoard,
    ...(value !== '' && !known.has(name.toLowerCase()) && { [name]: m.importStatusNew(l, { name }) }),
  });
  return (
    <details className="columns" open={isOpen}>
      <summary>{m.importStatusesOf(l)}</summary>
      <div className="stack">
        <p className="muted">{m.importStatusesHelp(l)}</p>
        <Table
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            { name: m.importStatusThere(l), cell: ({ name }) => <bdi>{name}</bdi> },
            {
              name: m.importStatusHere(l),
              cell: ({ name, value }) => (
                <Select
                  name={`status ${name}`}
                  label={`${m.importStatusHere(l)}: ${name}`}
                  isLabelHidden
                  defaultValue={value}
                  options={optionsFor(name, value)}
                />
              ),
            },
          ]}
        />
        <Submit kind="plain" name="intent" value="columns">
          {m.importCheckAgain(l)}
        </Submit>
      </div>
    </details>
  );
}
