/** A number with its noun in English: `1 post`, `1,234 posts`. */
export function quantity(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : other}`;
}
