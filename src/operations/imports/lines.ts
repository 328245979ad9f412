import { decode } from './decoding.ts';
import { ImportError } from './items.ts';

/** Characters of a line: an idea has at most some 30,000. */
const MAX_LINE = 1_048_576;

/** The lines of a text file with their numbers, without empty ones. @throws ImportError */
export async function* readLines(file: string): AsyncGenerator<{ line: number; text: string }> {
  let rest = '';
  let line = 0;
  let isEmpty = true;
  for await (const chunk of decode(file, 'utf-8')) {
    const texts = `${rest}${chunk}`.split('\n');
    rest = texts.pop() ?? '';
    if (rest.length > MAX_LINE) throw new ImportError(`Line ${line + texts.length + 1} is longer than 1 MB`);
    for (const text of texts) {
      line++;
      if (text.trim() === '') continue;
      isEmpty = false;
      yield { line, text: text.trim() };
    }
  }
  if (rest.trim() !== '') yield { line: line + 1, text: rest.trim() };
  else if (isEmpty) throw new ImportError('The file is empty');
}
