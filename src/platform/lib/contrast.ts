/** A color in OKLCH: lightness 0 to 1, chroma from 0, hue in degrees (https://bottosson.github.io/posts/oklab/). */
export type Oklch = { l: number; c: number; h: number };
type Rgb = readonly [red: number, green: number, blue: number];

/** The required contrast of text with its background (WCAG 2.2, 1.4.3). */
export const TEXT_CONTRAST = 4.5;

/** The contrast ratio of two colors as WCAG defines it, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminanceOf(parseHex(one)), luminanceOf(parseHex(other))].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/**
 * The color with its hue, as light or as dark as the contrast with `backgrounds` requires.
 * @param towards the direction in which lightness is adjusted: 0 darker, 1 lighter
 */
export function withContrast(color: string, backgrounds: readonly string[], towards: 0 | 1): string {
  const { l, c, h } = toOklch(parseHex(color));
  for (let step = 0; step <= 100; step++) {
    const lightness = l + (towards - l) * (step / 100);
    const candidate = toHex({ l: lightness, c, h });
    if (backgrounds.every((background) => contrastOf(candidate, background) >= TEXT_CONTRAST)) return candidate;
  }
  return towards === 0 ? '#000000' : '#ffffff';
}

/** The color with its hue at another lightness and with at most this much chroma. */
export function atLightness(color: string, lightness: number, maxChroma: number): string {
  const { c, h } = toOklch(parseHex(color));
  return toHex({ l: lightness, c: Math.min(c, maxChroma), h });
}

/** A CSS hex color in OKLCH, rounded. */
export function oklchOf(color: string): Oklch {
  const { l, c, h } = toOklch(parseHex(color));
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  return { l: round(l), c: round(c), h: Math.round(h + 360) % 360 };
}

/** Colors with at least this chroma are shown with full chroma. */
const FULL_CHROMA = 0.11;

/** The hue of a color and its share of full chroma, from 0 to 1, for places where the page sets the lightness. */
export function tintOf(color: string): { hue: number; tint: number } {
  const { c, h } = oklchOf(color);
  return { hue: h, tint: Math.min(1, Math.round((c / FULL_CHROMA) * 100) / 100) };
}

function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255].map((part) => part / 255) as unknown as Rgb;
}

const toLinear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const fromLinear = (value: number) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

function luminanceOf(rgb: Rgb): number {
  const [r, g, b] = rgb.map(toLinear) as unknown as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function toOklch(rgb: Rgb): Oklch {
  const [r, g, b] = rgb.map(toLinear) as unknown as Rgb;
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const a = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const bb = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(a, bb),
    h: (Math.atan2(bb, a) * 180) / Math.PI,
  };
}

/** The nearest color that a screen can show: chroma is reduced until it fits. */
function toHex({ l, c, h }: Oklch): string {
  for (let chroma = c; ; chroma -= 0.004) {
    const rgb = toLinearRgb({ l, c: Math.max(0, chroma), h });
    if (chroma <= 0 || rgb.every((part) => part >= -0.0005 && part <= 1.0005)) {
      const parts = rgb.map((part) => Math.round(fromLinear(Math.min(1, Math.max(0, part))) * 255));
      return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
    }
  }
}

function toLinearRgb({ l, c, h }: Oklch): Rgb {
  const a = c * Math.cos((h * Math.PI) / 180);
  const b = c * Math.sin((h * Math.PI) / 180);
  const l3 = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m3 = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s3 = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3,
    -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3,
    -0.0041960863 * l3 - 0.7034186147 * m3 + 1.707614701 * s3,
  ];
}
