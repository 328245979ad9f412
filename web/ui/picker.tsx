import '../styles/sheet.css';
import type { CSSProperties, ReactNode } from 'react';
import { useLocation } from 'react-router';

type PickerProps = {
  /** Identifies the popover, so that other buttons can open it. */
  id: string;
  /** The accessible name of the button, and of what it opens. */
  label: string;
  /** The visible content of the button. */
  button: ReactNode;
  className?: string;
  /** Whether the content is shown in place, because a form in it came back. */
  isOpen?: boolean;
  children: ReactNode;
};

/** A button that opens forms over the page, also without scripts. Escape, a click elsewhere and a sent form close it. */
export function Picker({ id, label, button, className = 'pick', isOpen = false, children }: PickerProps) {
  const { key } = useLocation();
  if (isOpen) {
    return (
      <section id={id} className="sheet" aria-label={label}>
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
      >
        {children}
      </section>
    </>
  );
}
