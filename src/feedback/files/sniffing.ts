const decoder = { fatal: true } as const;

/** Control characters that texts do not contain; form feed and escape occur in terminal logs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NO_TEXT = /[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]/;

/** Pictures that browsers show and that can carry no scripts. */
const rasterTypes: ReadonlySet<string> = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
]);

/** Whether browsers may show a file of this type in place; everything else is downloaded. */
export function isRasterImage(contentType: string): boolean {
  return rasterTypes.has(contentType);
}

/** Media types, and the extensions of such files; the first is the usual one. */
export type FileKind = { contentType: string; endings: readonly string[] };

const TEXT: FileKind = {
  contentType: 'text/plain; charset=utf-8',
  endings: ['txt', 'text', 'log', 'md', 'csv', 'tsv', 'json', 'jsonl', 'yaml', 'yml', 'ini', 'toml', 'diff', 'patch'],
};
const UNKNOWN: FileKind = { contentType: 'application/octet-stream', endings: ['bin'] };

/** Other extensions of the same types. */
const alsoKnownAs: Record<string, readonly string[]> = {
  jpg: ['jpeg', 'jpe'],
  apng: ['png'],
  tif: ['tiff'],
  mp4: ['m4v'],
  oga: ['ogg'],
  mpg: ['mpeg'],
  gz: ['tgz'],
  mid: ['midi'],
};

/**
 * Detects the type of a file from its first bytes. All text is only text: HTML, SVG and scripts are `text/plain`, and
 * so is a script that begins like a picture.
 */
export async function sniff(head: Uint8Array): Promise<FileKind> {
  // Loaded with the first upload: it takes 20 ms.
  const { fileTypeFromBuffer } = await import('file-type');
  const found = await fileTypeFromBuffer(head);
  if (isText(head) && found?.mime !== 'application/pdf') return TEXT;
  // UTF-16 can be HTML and XML as well.
  if (!found || /xml$|html/.test(found.mime.replace('application/vnd.', ''))) return UNKNOWN;
  return { contentType: found.mime, endings: [found.ext, ...(alsoKnownAs[found.ext] ?? [])] };
}

function isText(head: Uint8Array): boolean {
  try {
    // A character may continue beyond the first bytes.
    return !NO_TEXT.test(new TextDecoder('utf-8', decoder).decode(head, { stream: true }));
  } catch {
    return false;
  }
}
