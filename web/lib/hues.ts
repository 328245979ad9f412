/** A hue for something without a color of its own: one of twelve, always the same for the same text. */
export function hueOf(text: string): number {
  let sum = 0;
  for (const character of text) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 3_600;
  return 28 + (sum % 12) * 30;
}
