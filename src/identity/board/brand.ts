import { atLightness, contrastOf, withContrast } from '../../platform/lib/contrast.ts';

/** The color of a board whose owner has chosen none. */
export const DEFAULT_COLOR = '#4b54bf';

/** The board's color in each theme, and its contrast for text there. */
export type Brand = Record<'light' | 'dark', { accent: string; soft: string; contrast: number }>;

/**
 * The backgrounds of text in the board's color, per theme: page, surface, sunken; and the text on the color itself.
 */
const grounds = {
  light: { page: '#fbfaf8', all: ['#fbfaf8', '#ffffff', '#f4f3f0'], onAccent: '#ffffff' },
  dark: { page: '#101014', all: ['#101014', '#19191e', '#0b0b0e'], onAccent: '#0f0e1d' },
} as const;

/** Keeps the hue of a color and adjusts its lightness until it is readable in both themes. */
export function makeBrand(color: string): Brand {
  const soft = { light: atLightness(color, 0.945, 0.035), dark: atLightness(color, 0.3, 0.06) };
  const accent = {
    light: withContrast(color, [...grounds.light.all, grounds.light.onAccent, soft.light], 0),
    dark: withContrast(color, [...grounds.dark.all, grounds.dark.onAccent, soft.dark], 1),
  };
  const themeOf = (theme: 'light' | 'dark') => ({
    accent: accent[theme],
    soft: soft[theme],
    contrast: contrastOf(accent[theme], grounds[theme].page),
  });
  return { light: themeOf('light'), dark: themeOf('dark') };
}
