import type { CSSProperties } from 'react';

/** The status of an idea: a dot in its color, and always the word. */
export function StatusName({ name, color }: { name: string; color: string }) {
  return (
    <span className="status" style={{ '--status-color': color } as CSSProperties} dir="auto">
      {name}
    </span>
  );
}
