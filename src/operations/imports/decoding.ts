import { createReadStream } from 'node:fs';
import { ImportError } from './items.ts';

/** The encodings in which a text file may be. */
export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The text of a file, piece by piece. @throws ImportError if it is in another encoding */
export async function* decode(file: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of createReadStream(file)) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new ImportError(
      'The file is not in UTF-8: save it in this encoding, in Excel as “CSV UTF-8”, and import that',
    );
  }
}
