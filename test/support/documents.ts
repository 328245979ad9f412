import { readFileSync } from 'node:fs';

/** A document of the repository. */
export function readDocument(file: string): string {
  return readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
}

/** The code blocks of one language in a document. */
export function blocksOf(file: string, language: string): string[] {
  const blocks = readDocument(file).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'));
  return [...blocks].map(([, block = '']) => block);
}
