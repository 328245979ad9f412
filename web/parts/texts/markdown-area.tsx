import './markdown-area.css';
import { type ComponentProps, type KeyboardEvent, useRef, useState } from 'react';
import * as m from '../../i18n/messages.ts';
import type { IconName } from '../../icons/compile.ts';
import { usePrefix } from '../../lib/prefix.ts';
import { Submit, TextArea, useAnswer } from '../forms/form.tsx';
import type { FormAnswer } from '../requests/forms.ts';
import { useFrame, useLocale } from '../requests/locale.ts';
import { Icon } from '../show/icon.tsx';
import { Attach } from './attach.tsx';
import type { Tool } from './markdown-tools.ts';
import proseStyles from './prose.css?url';
import { reachScrollers } from './scrollers.ts';

const icons: Record<Tool, IconName> = {
  bold: 'bold',
  italic: 'italic',
  link: 'link',
  list: 'list',
  quote: 'text-quote',
  code: 'code',
};

type MarkdownAreaProps = ComponentProps<typeof TextArea> & {
  takesPictures?: boolean;
  takesMentions?: boolean;
  /** Whether the form has a `PreviewButton`. */
  hasPreview?: boolean;
};

/**
 * A text area for Markdown, with tools to format it, a preview, suggestions of whom to mention, and pictures. Ctrl+Enter,
 * or on a Mac Command+Return, sends the form; Ctrl+B, I and K format. Without scripts it is a plain text area.
 */
export function MarkdownArea({ takesPictures, takesMentions = true, hasPreview, ...rest }: MarkdownAreaProps) {
  const prefix = usePrefix();
  const l = useLocale();
  const mayMention = useFrame()?.visitor != null && takesMentions;
  const field = useRef<HTMLTextAreaElement>(null);
  const answer = useAnswer();
  const [left, leave] = useState<FormAnswer>();
  const [extra, setExtra] = useState<typeof import('./mentions.tsx')>();
  const names: Record<Tool, string> = {
    bold: m.toolBold(l),
    italic: m.toolItalic(l),
    link: m.toolLink(l),
    list: m.toolList(l),
    quote: m.toolQuote(l),
    code: m.toolCode(l),
  };
  const html = answer?.preview?.html;
  const isShown = html != null && left !== answer;
  const tab = (name: string, isOn: boolean, onClick: () => void) => (
    <button type="button" role="tab" aria-selected={isOn} onClick={onClick}>
      {name}
    </button>
  );
  return (
    <div className="markdown-area">
      {hasPreview && (
        <div className="segments" role="tablist">
          {tab(m.write(l), !isShown, () => leave(answer))}
          {tab(m.preview(l), isShown, () => showPreview(field.current))}
        </div>
      )}
      <TextArea
        {...rest}
        ref={field}
        onKeyDown={onKey}
        onFocus={() => mayMention && !extra && import('./mentions.tsx').then(setExtra)}
      />
      {isShown && (
        <div className="preview" role="tabpanel" aria-label={m.preview(l)} aria-live="polite">
          {/* Pages without texts load their styles with the first preview. */}
          <link rel="stylesheet" href={prefix + proseStyles} precedence="texts" />
          {/* biome-ignore lint/security/noDangerouslySetInnerHtml: see src/platform/texts/markdown.ts */}
          <div ref={reachScrollers} className="prose" dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
        </div>
      )}
      {extra && <extra.Mentions field={field} />}
      <div className="markdown-end">
        <div className="markdown-tools" role="toolbar" aria-label={m.formatting(l)}>
          {(Object.keys(icons) as Tool[]).map((tool) => (
            <button
              key={tool}
              type="button"
              className="icon-button"
              aria-label={names[tool]}
              title={names[tool]}
              onClick={() => field.current && apply(field.current, tool)}
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

/** Shows what the text would look like, behind the button that sends the form. Scripts have a tab for it. */
export function PreviewButton() {
  return (
    <Submit kind="plain" name="intent" value="preview">
      {m.preview(useLocale())}
    </Submit>
  );
}

function showPreview(field: HTMLTextAreaElement | null): void {
  const form = field?.form;
  form?.requestSubmit(form.querySelector<HTMLButtonElement>('[value="preview"]'));
}

async function apply(field: HTMLTextAreaElement, tool: Tool): Promise<void> {
  const { applyTool } = await import('./markdown-tools.ts');
  applyTool(field, tool);
}

const KEYS: Record<string, Tool> = { b: 'bold', i: 'italic', k: 'link' };

function onKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  const { key, ctrlKey, metaKey, altKey, shiftKey, currentTarget } = event;
  if (!(ctrlKey || metaKey) || altKey || shiftKey) return;
  const tool = KEYS[key];
  if (key === 'Enter') currentTarget.form?.requestSubmit();
  if (!tool) return;
  event.preventDefault();
  apply(currentTarget, tool);
}
