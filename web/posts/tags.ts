import type { TagRow } from '#src/feedback/tags/tags.ts';
import { tintOf } from '#src/platform/lib/contrast.ts';
import { hueOf } from '../lib/hues.ts';

/** The hue of a tag: that of its color, otherwise one derived from its name. */
export function hueOfTag({ name, color }: Pick<TagRow, 'name' | 'color'>): number {
  return color === null ? hueOf(name) : tintOf(color).hue;
}
