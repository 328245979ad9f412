/** An invisible character that ends a run of marks: U+034F, the combining grapheme joiner. */
const JOINER = '\u034f';
/** Marks that may follow one another, as in the Stream-Safe Text Format (UAX #15, section 13). */
const MAX_RUN = 30;

/** Characters that decompose to a mark: the marks, and the halfwidth sound marks of Japanese, which are letters. */
const MARK = /(?!\u034f)[\p{M}\uff9e\uff9f]/u;
/** A mark decomposes into three at most, and the letter before it into three: nine are not a long run. */
const TEN_MARKS = new RegExp(`(?:${MARK.source}){10}`, 'u');
/** The letters AM of Thai and Lao decompose to a mark and a letter, so they end a run. */
const RUN = new RegExp(`.?(?:${MARK.source}){10,}[\\u0e33\\u0eb3]?`, 'gsu');
const BETWEEN_MARKS = new RegExp(`(?<=${MARK.source})${JOINER}(?=${MARK.source})`, 'gu');

/**
 * A text in a Unicode normal form, with at most 30 marks in a row: longer runs get an invisible joiner after each 30th.
 * Marks in a row are sorted, which takes quadratic time (20,000 of them a second), so nothing else calls `normalize`.
 * No language has words with such runs, so ordinary text is not affected.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFKD' = 'NFC'): string {
  return boundRuns(text).normalize(form);
}

/** The text without the joiners between marks: the text is as long as it was before they were added. */
export function withoutJoiners(text: string): string {
  return text.includes(JOINER) ? text.replace(BETWEEN_MARKS, '') : text;
}

/** The text with joiners in its long runs of marks, in linear time. */
export function boundRuns(text: string): string {
  return TEN_MARKS.test(text) ? text.replace(RUN, boundRun) : text;
}

function boundRun(run: string): string {
  let bounded = '';
  let marks = 0;
  for (const character of run) {
    const parts = [...character.normalize('NFKD')];
    const isLetter = (part: string) => !MARK.test(part);
    const isMark = !parts.some(isLetter);
    const before = isMark ? parts.length : parts.findIndex(isLetter);
    const after = parts.length - 1 - parts.findLastIndex(isLetter);
    const isTooLong = before > 0 && marks + before > MAX_RUN;
    bounded += isTooLong ? JOINER + character : character;
    marks = isMark && !isTooLong ? marks + after : after;
  }
  return bounded;
}
