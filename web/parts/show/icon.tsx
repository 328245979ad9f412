import type { IconName } from '../../icons/compile.ts';
import sprite from '../../icons/sprite.svg?url';
import { usePrefix } from '../../lib/prefix.ts';

type IconProps = {
  name: IconName;
  /** Pixels; 16 beside text of 14. */
  size?: 14 | 16 | 20;
  /** Whether it points in the reading direction, so right-to-left pages mirror it. */
  flips?: boolean;
};

/** A decorative icon, hidden from assistive technology: a control without text needs a label. */
export function Icon({ name, size = 16, flips = false }: IconProps) {
  return (
    <svg className="icon" data-size={size === 16 ? undefined : size} data-flips={flips || undefined} aria-hidden="true">
      <use href={`${usePrefix()}${sprite}#${name}`} />
    </svg>
  );
}
