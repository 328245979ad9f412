import type { CSSProperties } from 'react';
import { hueOf } from '../../lib/hues.ts';
import { usePrefix } from '../../lib/prefix.ts';

type AvatarProps = { name: string; isTeam?: boolean; picture?: string | null; size?: 18 | 24 | 28 };

/** A person's picture, or their initials on a color derived from the name; always next to the name or a label. */
export function Avatar({ name, isTeam = false, picture = null, size = 28 }: AvatarProps) {
  const prefix = usePrefix();
  if (picture !== null) {
    return (
      <img
        className="avatar"
        src={prefix + picture}
        alt=""
        loading="lazy"
        data-size={size}
        data-team={isTeam || undefined}
      />
    );
  }
  const style = { '--h': hueOf(name) } as CSSProperties;
  return (
    <span className="avatar" style={style} data-size={size} data-team={isTeam || undefined} aria-hidden="true">
      {initialsOf(name, size === 18 ? 1 : 2)}
    </span>
  );
}

/** The last character of a name in Han characters, otherwise the first letters of the first and last words. */
function initialsOf(name: string, most: number): string {
  const words = name
    .trim()
    .split(/\s+/)
    .map((word) => [...word]);
  const [first = []] = words;
  const last = words.at(-1) ?? [];
  if (/\p{Script=Han}/u.test(last.at(-1) ?? '')) return last.at(-1) ?? '';
  const letters = most === 1 || words.length === 1 ? [first[0]] : [first[0], last[0]];
  return letters.join('').toUpperCase();
}
