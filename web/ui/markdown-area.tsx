import '../styles/markdown-area.css';
import { type ComponentProps, type KeyboardEvent, useCallback, useRef } from 'react';
import * as m from '../i18n/messages.ts';
import type { IconName } from '../icons/compile.ts';
import { useKeptText } from '../lib/kept-text.ts';
import { useLocale } from '../lib/locale.ts';
import { applyTool, type Tool } from '../lib/markdown-tools.ts';
import { Attach } from './attach.tsx';
import { TextArea } from './form.tsx';
import { Icon } from './icon.tsx';

const icons: Record<Tool, IconName> = {
  bold: 'bold',
  italic: 'italic',
  link: 'link',
  list: 'list',
  quote: 'text-quote',
  code: 'code',
};

type MarkdownAreaProps = ComponentProps<typeof TextArea> & {
  /** By what name the text is kept in this tab until it is sent, see `useKeptText`. */
  keptAs?: string;
  takesPictures?: boolean;
};

/**
 * A text area for Markdown, with tools to format it, and pictures. Ctrl+Enter, or on a Mac Command+Return, sends the form;
 * Ctrl+B, I and K format. Without scripts it is a plain text area.
 */
export function MarkdownArea({ keptAs, takesPictures = false, ...rest }: MarkdownAreaProps) {
  const l = useLocale();
  const field = useRef<HTMLTextAreaElement>(null);
  const keep = useKeptText(keptAs);
  const ref = useCallback(
    (element: HTMLTextAreaElement | null) => {
      field.current = element;
      return keep(element);
    },
    [keep],
  );
  const names: Record<Tool, string> = {
    bold: m.toolBold(l),
    italic: m.toolItalic(l),
    link: m.toolLink(l),
    list: m.toolList(l),
    quote: m.toolQuote(l),
    code: m.toolCode(l),
  };
  return (
    <div className="markdown-area">
      <TextArea {...rest} ref={ref} onKeyDown={onKey} />
      <div className="markdown-end">
        <div className="markdown-tools" role="toolbar" aria-label={m.formatting(l)}>
          {(Object.keys(icons) as Tool[]).map((tool) => (
            <button
              key={tool}
              type="button"
              className="icon-button"
              aria-label={names[tool]}
              title={names[tool]}
              onClick={() => field.current && applyTool(field.current, tool)}
            >
              <Icon name={icons[tool]} />
            </button>
          ))}
        </div>
        <p className="markdown-help">{m.markdownHelp(l)}</p>
        {takesPictures && <Attach />}
      </div>
    </div>
  );
}

const KEYS: Record<string, Tool> = { b: 'bold', i: 'italic', k: 'link' };

function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return;
  const tool = KEYS[key];
  if (key === 'Enter') currentTarget.form?.requestSubmit();
  if (!tool) return;
  event.preventDefault();
  applyTool(currentTarget, tool);
}
