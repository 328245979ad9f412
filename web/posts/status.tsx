import type { CSSProperties } from 'react';
import { Icon } from '../parts/show/icon.tsx';
import type { StatusView } from './statuses.ts';

type StatusChipProps = {
  status: StatusView;
  /** Without a background, inside of sentences. */
  isBare?: boolean;
};

/** The status of an idea: a ring that fills up on the way, and the name. */
export function StatusChip({ status: { name, ring, hue, tint }, isBare = false }: StatusChipProps) {
  return (
    <span className="status-chip" style={{ '--h': hue, '--c': tint } as CSSProperties} data-bare={isBare || undefined}>
      <Icon name={ring} />
      <bdi>{name}</bdi>
    </span>
  );
}
