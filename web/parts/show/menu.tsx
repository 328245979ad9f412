import { type CSSProperties, type ReactNode, useId } from 'react';
import { useLocation } from 'react-router';

type MenuProps = {
  /** The accessible name of the button. */
  label: string;
  /** The visible content of the button. */
  button: ReactNode;
  children: ReactNode;
};

/** A button with a menu, also without scripts. Escape, a click elsewhere and a change of the page close it. */
export function Menu({ label, button, children }: MenuProps) {
  const { key } = useLocation();
  const id = useId();
  const anchor = `--${CSS_NAME.exec(id)?.[0] ?? 'menu'}`;
  return (
    <>
      <button type="button" className="icon-button" popoverTarget={id} style={{ anchorName: anchor } as CSSProperties}>
        {button}
        <span className="visually-hidden">{label}</span>
      </button>
      <div key={key} id={id} popover="auto" className="menu-list" style={{ positionAnchor: anchor } as CSSProperties}>
        {children}
      </div>
    </>
  );
}

/** The part of a React id that is valid in a CSS name. */
const CSS_NAME = /\w+/;
