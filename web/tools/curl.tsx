import { ToolbarButton, useGraphiQL } from '@graphiql/react';
import { useState } from 'react';
import { copyFromNowhere } from '../lib/copying.ts';
import { endpoint, isSubscription, withoutStaleName } from './api.ts';
import type { HeaderStore } from './header-store.ts';

const NOT_COPIED = 'The browser did not allow copying';

/** The button "Copy as cURL": the operation with its variables and headers as a line for a terminal. */
export function CopyAsCurl({ headers }: { headers: HeaderStore }) {
  const { queryEditor, variableEditor, operationName } = useGraphiQL((state) => ({
    queryEditor: state.queryEditor,
    variableEditor: state.variableEditor,
    operationName: state.operationName,
  }));
  const [note, setNote] = useState('');
  async function copy(): Promise<void> {
    try {
      const variables = JSON.parse(variableEditor?.getValue().trim() || 'null') ?? undefined;
      const body = withoutStaleName({ query: queryEditor?.getValue() ?? '', variables, operationName });
      const accept = isSubscription(body) && { accept: 'text/event-stream' };
      const line = makeCurl(new URL(endpoint, location.href).href, { ...headers.forRequest(), ...accept }, body);
      setNote((await copyFromNowhere(line)) ? 'Copied as cURL' : NOT_COPIED);
    } catch (error) {
      setNote(error instanceof SyntaxError ? 'The variables are not valid JSON' : String(error));
    }
    setTimeout(() => setNote(''), 3_000);
  }
  return (
    <>
      <ToolbarButton label="Copy as cURL" onClick={copy}>
        <span className="curl">cURL</span>
      </ToolbarButton>
      <output className="note">{note}</output>
    </>
  );
}

/** A request as a line for a POSIX shell. */
export function makeCurl(url: string, headers: Record<string, string>, body: unknown): string {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `-H ${quote(`${name}: ${fromBytes(value)}`)}`,
  );
  return [`curl ${quote(url)}`, ...lines, `--data-raw ${quote(JSON.stringify(body))}`].join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

function fromBytes(value: string): string {
  return new TextDecoder().decode(Uint8Array.from(value, (byte) => byte.charCodeAt(0)));
}
