import type { meanings } from '#src/operations/imports/sources/meanings.ts';
import './columns.css';
import type { Locale } from '../../i18n/languages.ts';
import * as m from '../../i18n/messages.ts';
import { Select, Submit } from '../../parts/forms/form.tsx';
import { Radios } from '../../parts/forms/settings-fields.tsx';
import { useLocale } from '../../parts/requests/locale.ts';
import { Table } from '../../parts/show/table.tsx';
import type { ReadingView } from './imports.ts';

/** What a column can be imported as. */
const words: Record<(typeof meanings)[number], (l: Locale) => string> = {
  title: m.importAsTitle,
  text: m.importAsText,
  author: m.importAsAuthor,
  email: m.importAsEmail,
  created: m.importAsCreated,
  status: m.importAsStatus,
  archived: m.importAsArchived,
  tags: m.importAsTags,
  voters: m.importAsVoters,
  votes: m.importAsVotes,
  comments: m.importAsComments,
  id: m.importAsId,
  idea: m.importAsIdea,
  person: m.importAsPerson,
  parent: m.importAsParent,
  internal: m.importAsInternal,
  official: m.importAsOfficial,
  approval: m.importAsApproval,
};

type Props = { reading: ReadingView; isOpen: boolean };

/** What the columns of a file were taken for, to be corrected, and what a file does not tell by itself. */
export function Columns({ reading, isOpen }: Props) {
  const l = useLocale();
  const { columns, more, fields, dates, encodings, encoding } = reading;
  const named = Object.entries(words).map(([meaning, nameOf]) => [meaning, nameOf(l)]);
  const ofBoard = fields.map((name) => [`field ${name}`, m.importAsField(l, { name })]);
  const options = Object.fromEntries([['', m.importUnused(l)], ...named, ...ofBoard]);
  return (
    <details className="columns" open={isOpen}>
      <summary>{m.importColumns(l)}</summary>
      <div className="stack">
        <p className="muted">{m.importColumnsHelp(l)}</p>
        {dates && (
          <Radios
            name="dates"
            legend={m.importDates(l)}
            help={dates === 'ASK' ? m.importDatesAsk(l) : undefined}
            defaultValue={dates}
            options={{ 'day-first': m.importDayFirst(l), 'month-first': m.importMonthFirst(l) }}
          />
        )}
        {encoding && (
          <Select
            name="encoding"
            label={m.importEncoding(l)}
            help={m.importEncodingHelp(l)}
            defaultValue={encoding}
            options={Object.fromEntries(encodings.map((name) => [name, name.toUpperCase()]))}
          />
        )}
        <Table
          rows={columns}
          keyOf={({ at }) => at}
          columns={[
            { name: m.importColumn(l), cell: ({ name }) => <bdi>{name}</bdi> },
            { name: m.importFirstValues(l), cell: ({ samples }) => <Samples values={samples} /> },
            {
              name: m.importMeaning(l),
              cell: ({ at, name, meaning }) => (
                <Select
                  name={`column-${at}`}
                  label={`${m.importMeaning(l)}: ${name}`}
                  isLabelHidden
                  defaultValue={meaning ?? ''}
                  options={options}
                />
              ),
            },
          ]}
        />
        {more > 0 && <p className="muted small">{m.importColumnsMore(l, { count: more })}</p>}
        <Submit kind="plain" name="intent" value="columns">
          {m.importCheckAgain(l)}
        </Submit>
      </div>
    </details>
  );
}

function Samples({ values }: { values: readonly string[] }) {
  return (
    <ul className="samples">
      {values.map((value, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values repeat, and never change places.
        <li key={n}>
          <bdi>{value || '–'}</bdi>
        </li>
      ))}
    </ul>
  );
}
