/** Maximum size of what a tool answers, as JSON in UTF-8. */
export const MAX_ANSWER_BYTES = 65_536;
/** Texts are never cut to fewer characters than that: names, titles and URLs remain. */
const LEAST_CHARACTERS = 250;
const MOST_CHARACTERS = 20_000;

/** An answer with its long texts cut until it is within the limit; where one is cut, its length is named. */
export function fit<T extends object>(answer: T): T {
  let [cut, most] = [answer, MOST_CHARACTERS];
  while (sizeOf(cut) > MAX_ANSWER_BYTES && most > LEAST_CHARACTERS) {
    most = Math.max(LEAST_CHARACTERS, Math.floor(most / 2));
    cut = cutTexts(answer, most);
  }
  return cut;
}

function sizeOf(answer: object): number {
  return Buffer.byteLength(JSON.stringify(answer));
}

function cutTexts<T>(answer: T, most: number): T {
  return JSON.parse(JSON.stringify(answer, (_, value) => (typeof value === 'string' ? cutText(value, most) : value)));
}

function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).replace(/[\ud800-\udbff]$/, '')}… [cut: ${text.length} characters in all]`;
}
