import './workers.ts';
import 'graphiql/graphiql.css';
import '@graphiql/react/style.css';
import '@graphiql/plugin-doc-explorer/style.css';
import '@graphiql/plugin-history/style.css';
import './graphiql.css';
import './tool.css';
import { DOC_EXPLORER_PLUGIN } from '@graphiql/plugin-doc-explorer';
import { HISTORY_PLUGIN } from '@graphiql/plugin-history';
import { DocsIcon, type GraphiQLPlugin, HistoryIcon } from '@graphiql/react';
import { GraphiQL } from 'graphiql';
import { type ReactNode, useMemo } from 'react';
import { makeFetcher } from './api.ts';
import { CopyAsCurl } from './curl.tsx';
import { useEditorTheme } from './editor-theme.ts';
import type { Example } from './examples.ts';
import type { HeaderStore } from './header-store.ts';
import { HttpHeaders } from './http-headers.tsx';
import { schemaTab } from './schema-tab.tsx';

export type ToolProps = {
  title: string;
  /** Beside the title. */
  bar?: ReactNode;
  headers: HeaderStore;
  /** Whether the visitor may store the headers in the browser. */
  canRemember: boolean;
  examples: readonly Example[];
  /** Where tabs and settings are kept. */
  storage: Storage;
  /** Below the answer. */
  footer?: ReactNode;
};

// GraphiQL knows its own plugins by identity, so they are renamed in place.
Object.assign(DOC_EXPLORER_PLUGIN, { title: 'Docs', icon: DocsTabIcon });
Object.assign(HISTORY_PLUGIN, { icon: HistoryTabIcon });
const plugins: GraphiQLPlugin[] = [schemaTab, HISTORY_PLUGIN];
const initialPlugin = matchMedia('(min-width: 60rem)').matches ? { visiblePlugin: DOC_EXPLORER_PLUGIN } : {};

/** The playground and the sandbox: GraphiQL with the section "HTTP Headers" and the tabs Docs and Schema. */
export function Tool({ title, bar, headers, canRemember, examples, storage, footer }: ToolProps) {
  const fetcher = useMemo(() => makeFetcher(headers), [headers]);
  const theme = document.documentElement.dataset.theme;
  useEditorTheme();
  return (
    <div className="tool">
      <header className="tool-bar">
        <h1>{title}</h1>
        {bar}
      </header>
      <HttpHeaders store={headers} canRemember={canRemember} />
      <main>
        <GraphiQL
          fetcher={fetcher}
          storage={storage}
          plugins={plugins}
          {...initialPlugin}
          defaultTabs={[...examples]}
          defaultTheme={theme === 'light' || theme === 'dark' ? theme : null}
          defaultEditorToolsVisibility="variables"
          // GraphiQL would keep them with each tab, in its storage and in its history.
          isHeadersEditorEnabled={false}
          shouldPersistHeaders={false}
        >
          <GraphiQL.Logo> </GraphiQL.Logo>
          <GraphiQL.Toolbar>
            {({ prettify, merge, copy }) => (
              <>
                {prettify}
                {merge}
                {copy}
                <CopyAsCurl headers={headers} />
              </>
            )}
          </GraphiQL.Toolbar>
          {footer && <GraphiQL.Footer>{footer}</GraphiQL.Footer>}
        </GraphiQL>
      </main>
    </div>
  );
}

function DocsTabIcon() {
  return (
    <span className="side-icon">
      <DocsIcon aria-hidden="true" />
      Docs
    </span>
  );
}

function HistoryTabIcon() {
  return (
    <span className="side-icon">
      <HistoryIcon aria-hidden="true" />
      History
    </span>
  );
}
