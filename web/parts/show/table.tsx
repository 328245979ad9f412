import type { ReactNode } from 'react';

/** A column of a table. */
type Column<Row> = {
  /** What stands above the column, and on narrow screens beside each cell. */
  name: string;
  /** What stands above the column instead. */
  head?: ReactNode;
  className?: string;
  /** Whether narrow screens leave out the cell of a row. */
  isEmpty?: (row: Row) => boolean;
  cell: (row: Row) => ReactNode;
};

type TableProps<Row> = {
  className?: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  keyOf: (row: Row, n: number) => string | number;
  /** The place of the column that names the rows. */
  headerAt?: number;
};

/** A list as a table, which narrow screens show as blocks. */
export function Table<Row>({ className = 'table', rows, columns, keyOf, headerAt = 0 }: TableProps<Row>) {
  return (
    <table className={className}>
      <thead>
        <tr>
          {columns.map(({ name, head }) => (
            <th key={name} scope="col">
              {head ?? name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, n) => (
          <tr key={keyOf(row, n)}>
            {columns.map(({ name, className, isEmpty, cell }, at) => {
              const shared = { className, 'data-label': name, 'data-empty': isEmpty?.(row) || undefined };
              return at === headerAt ? (
                <th key={name} scope="row" {...shared}>
                  {cell(row)}
                </th>
              ) : (
                <td key={name} {...shared}>
                  {cell(row)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
