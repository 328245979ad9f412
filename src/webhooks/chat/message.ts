/** A message in no chat's form yet; each part is text without markup. */
export type ChatMessage = {
  /** The language of the board, which all own words are in. */
  language: string;
  /** What happened. */
  heading: string;
  /** What it happened to, and its page. */
  title: string | null;
  url: string | null;
  linkLabel: string;
  /** The beginning of what was written. */
  text: string | null;
  /** What changed, a line each. */
  facts: readonly string[];
  /** Who acted, and the board. */
  footer: string;
};
