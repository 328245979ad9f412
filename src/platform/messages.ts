import type { ServerTexts } from './server-keys.ts';
import { keyOf, type ServerKey, templateOf } from './server-texts.ts';

/** The parts of a text: a template with `{0}`, `{1}` for values, and the values, which may be texts themselves. */
export type MessagePart = readonly [template: string, ...values: MessageValue[]];
type MessageValue = string | number | { readonly parts: readonly MessagePart[] };

/** An English text with its parts, so that pages can translate it. */
export type LocalizedMessage = { readonly text: string; readonly parts: readonly MessagePart[] };

type Value = string | number | LocalizedMessage;
/** Values by how many a text has. */
type Values = { 0: []; 1: [Value]; 2: [Value, Value]; 3: [Value, Value, Value]; 4: [Value, Value, Value, Value] };

/** A text of the section `server` of `web/i18n/en.json`: `msg('receiverGone', status)`. */
export function msg<K extends ServerKey>(key: K, ...values: Values[ServerTexts[K]]): LocalizedMessage {
  const kept = values.map((value) => (typeof value === 'object' ? { parts: value.parts } : value));
  return fromParts([[templateOf(key), ...kept]]);
}

/** Texts joined like sentences. */
export function joinMessages(...texts: readonly LocalizedMessage[]): LocalizedMessage {
  return fromParts(texts.flatMap(({ parts }) => parts));
}

/** A text that is the same in every language, such as what another user wrote. */
export function quote(text: string): LocalizedMessage {
  return fromParts([['{0}', text]]);
}

/** What a text is about, and the text: `Completed: Dark mode`. */
export function headed(about: LocalizedMessage, text: string): LocalizedMessage {
  return fromParts([['{0}: {1}', { parts: about.parts }, text]]);
}

/**
 * Words that are data, such as a reason from another part of the program. Written as one they are the key of their
 * text, `it has expired` that of `itHasExpired`; others stay as they are.
 */
export function phrase(words: string): LocalizedMessage {
  const key = keyOf(words);
  if (key !== null) return fromParts([[templateOf(key)]]);
  return /\{\d\}/.test(words) ? quote(words) : fromParts([[words]]);
}

/** A text of parts that were stored. */
export function restore(parts: readonly MessagePart[]): LocalizedMessage {
  return fromParts(parts);
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
