import type { CSSProperties } from 'react';

/** A tag: a small square in its color, and its name. */
export function Tag({ name, hue }: { name: string; hue: number }) {
  return (
    <span className="tag" title={name}>
      <span className="dot" style={{ '--h': hue } as CSSProperties} />
      <bdi>{name}</bdi>
    </span>
  );
}
