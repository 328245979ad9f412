import { atLightness, contrastOf, type Oklch, oklchOf, withContrast } from '../../platform/lib/contrast.ts';

/** The color of a board whose owner has chosen none. */
export const DEFAULT_COLOR = '#2d48c0';

/** The board's color in each theme, and its contrast for text there. */
export type Brand = Record<'light' | 'dark', { accent: string; soft: string; contrast: number }>;

/** The backgrounds of text in the board's color: page, sheet, raised, sunken; and the text on the color itself. */
const grounds = {
  light: { page: '#fbf9f5', all: ['#fbf9f5', '#fffefd', '#ffffff', '#f3f0ea'], onAccent: '#ffffff' },
  dark: { page: '#151310' },
} as const;

/** The lightness of every board's color in the dark theme, and the share of its chroma, so that it does not glare. */
const IN_THE_DARK = { lightness: 0.76, chroma: 0.62 };

/** Keeps the hue of a color and adjusts its lightness until it is readable in both themes. */
export function makeBrand(color: string): Brand {
  const { c } = oklchOf(color);
  const soft = { light: atLightness(color, 0.964, c * 0.1), dark: atLightness(color, 0.272, c * 0.21) };
  const accent = {
    light: withContrast(color, [...grounds.light.all, grounds.light.onAccent, soft.light], 0),
    dark: atLightness(color, IN_THE_DARK.lightness, c * IN_THE_DARK.chroma),
  };
  const themeOf = (theme: 'light' | 'dark') => ({
    accent: accent[theme],
    soft: soft[theme],
    contrast: contrastOf(accent[theme], grounds[theme].page),
  });
  return { light: themeOf('light'), dark: themeOf('dark') };
}

/** The numbers from which the pages derive all shades of the board's color. */
export function penOf({ light, dark }: Brand): Oklch & { darkChroma: number } {
  return { ...oklchOf(light.accent), darkChroma: oklchOf(dark.accent).c };
}
