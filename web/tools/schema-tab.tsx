import './schema-tab.css';
import type { GraphiQLPlugin } from '@graphiql/react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { copyFromNowhere } from '../lib/copying.ts';
import { loadSdl, sdlPath } from './api.ts';

/** The tab "Schema": the schema as text, to search, copy and download. */
export const schemaTab: GraphiQLPlugin = { title: 'Schema', icon: SchemaIcon, content: SchemaTab };

function SchemaTab() {
  const [sdl, setSdl] = useState('');
  const [problem, setProblem] = useState('');
  const [search, setSearch] = useState('');
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    loadSdl().then(setSdl, (error: Error) => setProblem(error.message));
  }, []);
  const parts = useMemo(() => findParts(sdl, search), [sdl, search]);
  const text = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (parts.length > 0 && search) text.current?.querySelector('mark')?.scrollIntoView({ block: 'center' });
  }, [parts, search]);
  return (
    <section className="schema-tab" aria-label="Schema">
      <h2>Schema</h2>
      <div className="row">
        <input
          type="search"
          aria-label="Search the schema"
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        <button type="button" onClick={() => copyFromNowhere(sdl).then(setCopied)}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <a className="button" href={sdlPath} download="schema.graphql">
          Download
        </a>
      </div>
      <output className="quiet">
        {problem || (search && `${parts.length} ${parts.length === 1 ? 'definition' : 'definitions'}`)}
      </output>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0} ref={text}>
        {parts.map((part) => (
          <code key={part}>
            <Marked text={part} search={search} />
            {'\n\n'}
          </code>
        ))}
      </pre>
    </section>
  );
}

/** The definitions that contain the text, upper or lower case. */
function findParts(sdl: string, search: string): string[] {
  const wanted = search.trim().toLowerCase();
  // A definition ends with a line that begins with its brace, or stands on one line.
  const parts = sdl.trim().split(/(?<=\n\}|\n(?:scalar|union|directive)[^\n]*)\n\n/);
  return wanted === '' ? parts : parts.filter((part) => part.toLowerCase().includes(wanted));
}

function Marked({ text, search }: { text: string; search: string }) {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return text;
  const pieces: (string | React.ReactElement)[] = [];
  let from = 0;
  for (let at = text.toLowerCase().indexOf(wanted); at >= 0; at = text.toLowerCase().indexOf(wanted, from)) {
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>);
    from = at + wanted.length;
  }
  return [...pieces, text.slice(from)];
}

function SchemaIcon() {
  return (
    <span className="side-icon">
      <svg
        viewBox="0 0 20 20"
        width="20"
        height="20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        aria-hidden="true"
      >
        <path d="M7 3H6a2 2 0 0 0-2 2v3a2 2 0 0 1-1.5 2A2 2 0 0 1 4 12v3a2 2 0 0 0 2 2h1M13 3h1a2 2 0 0 1 2 2v3a2 2 0 0 0 1.5 2 2 2 0 0 0-1.5 2v3a2 2 0 0 1-2 2h-1" />
      </svg>
      Schema
    </span>
  );
}
