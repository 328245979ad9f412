import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Font, Glyph } from 'opentype.js';

/** Invisible characters: joiners, direction marks and the like. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Characters without which a text reads differently. */
const MEANT = /[\p{L}\p{N}\p{M}]/u;

/** A font for measuring texts and drawing them as outlines, so that the server needs no installed fonts. */
export class Face {
  readonly #font: Font;
  /** The outlines of a character as SVG has them, in units of the font. */
  readonly #outlines = new Map<string, string>();

  constructor(font: Font) {
    this.#font = font;
  }

  /** The text without signs that the font lacks, such as emoji; null if letters are missing, or nothing is left. */
  printable(text: string): string | null {
    const characters = [...text.replace(INVISIBLE, '').replace(/\s+/g, ' ')];
    const lacks = (character: string) => this.#font.charToGlyphIndex(character) === 0;
    if (characters.some((character) => lacks(character) && MEANT.test(character))) return null;
    const known = characters.filter((character) => !lacks(character)).join('');
    return known.replace(/ +/g, ' ').trim() || null;
  }

  /** How wide a text is, in pixels. */
  widthOf(text: string, size: number): number {
    const units = [...text].reduce((sum, character) => sum + this.#advanceOf(character), 0);
    return (units * size) / this.#font.unitsPerEm;
  }

  /** A text as a group of SVG, which begins at `x` and stands on `y`. */
  draw(text: string, { x, y, size, color }: { x: number; y: number; size: number; color: string }): string {
    const scale = size / this.#font.unitsPerEm;
    let at = 0;
    const glyphs = [...text].map((character) => {
      const glyph = `<path transform="translate(${at} 0)" d="${this.#outlineOf(character)}"/>`;
      at += this.#advanceOf(character);
      return glyph;
    });
    // Fonts measure upwards.
    return `<g fill="${color}" transform="translate(${x} ${y}) scale(${scale} ${-scale})">${glyphs.join('')}</g>`;
  }

  #advanceOf(character: string): number {
    return this.#font.charToGlyph(character).advanceWidth ?? 0;
  }

  #outlineOf(character: string): string {
    const outline = this.#outlines.get(character) ?? print(this.#font.charToGlyph(character));
    this.#outlines.set(character, outline);
    return outline;
  }
}

function print({ path }: Glyph): string {
  const commands = path.commands.map(({ type, ...points }) => {
    const { x1, y1, x2, y2, x, y } = points as Partial<Record<'x1' | 'y1' | 'x2' | 'y2' | 'x' | 'y', number>>;
    return type + [x1, y1, x2, y2, x, y].filter((number) => number !== undefined).join(' ');
  });
  return commands.join('');
}

const weights = { regular: '400Regular/Figtree_400Regular.ttf', bold: '600SemiBold/Figtree_600SemiBold.ttf' };

let faces: Promise<Record<keyof typeof weights, Face>> | null = null;

/** The faces of the pages' font. Loading them takes 40 ms, so they come with the first picture. */
export function loadFaces(): Promise<Record<keyof typeof weights, Face>> {
  faces ??= (async () => ({ regular: await readFace(weights.regular), bold: await readFace(weights.bold) }))();
  return faces;
}

async function readFace(path: string): Promise<Face> {
  const { default: opentype } = await import('opentype.js');
  const file = fileURLToPath(import.meta.resolve(`@expo-google-fonts/figtree/${path}`));
  const { buffer, byteOffset, byteLength } = await readFile(file);
  return new Face(opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength)));
}
