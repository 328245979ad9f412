/** Size of a part in UTF-16 units. */
const PART = 65_536;

/**
 * Writes a value as JSON, in parts. Async iterables become lists, also as properties of objects; nothing more is read from
 * them before a part is taken.
 */
export async function* writeJson(value: unknown): AsyncGenerator<string> {
  let part = '';
  for await (const text of textsOf(value)) {
    part += text;
    if (part.length < PART) continue;
    yield part;
    part = '';
  }
  yield `${part}\n`;
}

async function* textsOf(value: unknown): AsyncGenerator<string> {
  if (isIterable(value)) {
    let separator = '[\n';
    for await (const item of value) {
      yield separator;
      yield* textsOf(item);
      separator = ',\n';
    }
    yield separator === '[\n' ? '[]' : '\n]';
  } else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    let separator = '{\n';
    for (const [name, property] of Object.entries(value)) {
      yield `${separator}${JSON.stringify(name)}: `;
      yield* textsOf(property);
      separator = ',\n';
    }
    yield separator === '{\n' ? '{}' : '\n}';
  } else yield JSON.stringify(value ?? null);
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
