import './http-headers.css';
import { type HeaderRow, type HeaderStore, useHeaders } from './header-store.ts';

const hints: Record<string, string> = {
  apikey: 'esk_… (from the board settings, APIs)',
  ssotype: 'SSO',
  ssoid: "the acting user's id",
};

/** The section "HTTP Headers": its entries go with every request of every tab. */
export function HttpHeaders({ store, canRemember }: { store: HeaderStore; canRemember: boolean }) {
  const { rows, isRemembered } = useHeaders(store);
  const change = (changed: HeaderRow) => store.setRows(rows.map((row) => (row.id === changed.id ? changed : row)));
  const add = () =>
    store.setRows([...rows, { id: Math.max(-1, ...rows.map((row) => row.id)) + 1, name: '', value: '' }]);
  return (
    <section className="http-headers" aria-label="HTTP Headers">
      <details open>
        <summary>
          <h2>HTTP Headers</h2>
          <span className="quiet">sent with every request</span>
        </summary>
        <ul>
          {rows.map((row) => (
            <li key={row.id}>
              <HeaderFields row={row} onChange={change} />
              <button
                type="button"
                className="plain"
                aria-label={`Remove header ${row.name || 'without a name'}`}
                onClick={() => store.setRows(rows.filter((other) => other !== row))}
              >
                ×
              </button>
            </li>
          ))}
          <li>
            <button type="button" onClick={add}>
              Add header
            </button>
          </li>
          {canRemember && (
            <li>
              <label className="remember">
                <input
                  type="checkbox"
                  checked={isRemembered}
                  onChange={(event) => store.remember(event.currentTarget.checked)}
                />
                Remember in this browser
              </label>
            </li>
          )}
        </ul>
      </details>
    </section>
  );
}

function HeaderFields({ row, onChange }: { row: HeaderRow; onChange: (row: HeaderRow) => void }) {
  const field = { type: 'text', autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <input
        {...field}
        className="name"
        aria-label="Header name"
        placeholder="name"
        value={row.name}
        onChange={(event) => onChange({ ...row, name: event.currentTarget.value })}
      />
      <input
        {...field}
        className={/^(apikey|authorization)$/i.test(row.name) ? 'value secret' : 'value'}
        aria-label={`Value of ${row.name || 'the header'}`}
        placeholder={hints[row.name.toLowerCase()] ?? 'value'}
        value={row.value}
        onChange={(event) => onChange({ ...row, value: event.currentTarget.value })}
      />
    </>
  );
}
