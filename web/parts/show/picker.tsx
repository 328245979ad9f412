import './sheet.css';
import type { CSSProperties, KeyboardEvent, ReactNode } from 'react';
import { useLocation } from 'react-router';

/** The popovers of a post, and where its other tools are: the bar on phones leads there. */
export const PICKERS = {
  status: 'pick-status',
  tags: 'pick-tags',
  assignee: 'pick-assignee',
  tools: 'post-tools',
} as const;

type PickerProps = {
  /** Identifies the popover, so that other buttons can open it. */
  id: string;
  /** The accessible name of the button, and of what it opens. */
  label: string;
  /** The visible content of the button. */
  button: ReactNode;
  className?: string;
  /** The key that opens it. */
  shortcut?: string;
  /** Whether the content is shown in place, because a form in it came back. */
  isOpen?: boolean;
  children: ReactNode;
};

/** A button that opens forms over the page, also without scripts. Escape, a click elsewhere and a sent form close it. */
export function Picker({ id, label, button, className = 'pick', shortcut, isOpen = false, children }: PickerProps) {
  const { key } = useLocation();
  if (isOpen) {
    return (
      <section id={id} className="sheet" aria-label={label} ref={focusMistake}>
        {children}
      </section>
    );
  }
  const anchor = `--${id}`;
  return (
    <>
      <button
        type="button"
        className={className}
        popoverTarget={id}
        aria-label={label}
        aria-keyshortcuts={shortcut}
        style={{ anchorName: anchor } as CSSProperties}
      >
        {button}
      </button>
      <section
        key={key}
        id={id}
        popover="auto"
        className="menu-list sheet"
        aria-label={label}
        style={{ positionAnchor: anchor } as CSSProperties}
        onKeyDown={sendByEnter}
      >
        {children}
      </section>
    </>
  );
}

/** The field with a mistake keeps the focus that it had in the popover. */
function focusMistake(section: HTMLElement | null): void {
  section?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

/** Enter sends the form of a select, as it does for other fields. */
function sendByEnter(event: KeyboardEvent): void {
  const { key, target } = event;
  if (key !== 'Enter' || !(target instanceof HTMLSelectElement)) return;
  event.preventDefault();
  target.form?.requestSubmit();
}
