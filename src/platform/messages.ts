/** The parts of a text: a template with `{0}`, `{1}` for values, and the values, which may be texts themselves. */
export type MessagePart = readonly [template: string, ...values: MessageValue[]];
type MessageValue = string | number | { readonly parts: readonly MessagePart[] };

/** An English text with its parts, so that pages can translate it. */
export type LocalizedMessage = { readonly text: string; readonly parts: readonly MessagePart[] };

/** Writes a text: msg`It answered ${status}`. Its template is looked up in the catalogues of the pages. */
export function msg(
  strings: TemplateStringsArray,
  ...values: (string | number | LocalizedMessage)[]
): LocalizedMessage {
  const template = strings.map((text, n) => (n === 0 ? text : `{${n - 1}}${text}`)).join('');
  const kept = values.map((value) => (typeof value === 'object' ? { parts: value.parts } : value));
  return fromParts([[template, ...kept]]);
}

/** Texts joined like sentences. */
export function joinMessages(...texts: readonly LocalizedMessage[]): LocalizedMessage {
  return fromParts(texts.flatMap(({ parts }) => parts));
}

/** A text that is the same in every language, such as what another user wrote. */
export function quote(text: string): LocalizedMessage {
  return fromParts([['{0}', text]]);
}

/** A phrase that is looked up as a whole, such as a reason from another part of the program. */
export function phrase(words: string): LocalizedMessage {
  return /\{\d\}/.test(words) ? quote(words) : fromParts([[words]]);
}

function fromParts(parts: readonly MessagePart[]): LocalizedMessage {
  const english = (value: number) => value.toLocaleString('en');
  return { parts, text: writeOut(parts, (template) => template, english) };
}

/**
 * Formats a text.
 * @param translate returns a template in the language of the reader
 * @param format formats a number for the reader
 */
export function writeOut(
  parts: readonly MessagePart[],
  translate: (template: string) => string,
  format: (value: number) => string,
): string {
  const sentences = parts.map(([template, ...values]) =>
    translate(template).replace(/\{(\d)\}/g, (_, n) => {
      const value = values[Number(n)] ?? '';
      if (typeof value === 'object') return writeOut(value.parts, translate, format);
      return typeof value === 'number' ? format(value) : value;
    }),
  );
  return sentences.join(' ');
}
