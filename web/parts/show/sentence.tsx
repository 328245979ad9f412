import { Fragment, type ReactNode } from 'react';

/** A text of the catalogue with elements in it, where it has their names in braces. Each language has its own order. */
export function Sentence({ text, parts }: { text: string; parts: Readonly<Record<string, ReactNode>> }) {
  const pieces = text.split(/\{(\w+)\}/);
  // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other key, and never change places.
  return pieces.map((piece, n) => <Fragment key={n}>{n % 2 === 1 ? parts[piece] : piece}</Fragment>);
}
