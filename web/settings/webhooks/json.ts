/** JSON with a line for each value, to be read; a text that is no JSON stays as it is. Invisible characters are escaped. */
export function layOutJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).replace(/\p{Cf}/gu, escapeCharacter);
  } catch {
    return text;
  }
}

function escapeCharacter(character: string): string {
  const units = Array.from({ length: character.length }, (_, n) => character.charCodeAt(n));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
