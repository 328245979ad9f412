const [LINE_FEED, QUOTE, COMMA, P] = [0x0a, 0x22, 0x2c, 0x70];
/** Where the kind of a row is in a line of JSONL, which begins with `{"row":"post"`. */
const KIND = '{"row":"'.length;

/** Counts the posts in the bytes of an export as they arrive. Each call returns the number so far. */
export function makePostCounter(format: string): (bytes: Uint8Array) => number {
  const isCsv = format === 'csv';
  // The header row begins like that of a post; those of comments and votes have an empty first cell.
  let posts = isCsv ? -1 : 0;
  let column = 0;
  let isQuoted = false;
  return (bytes) => {
    for (const byte of bytes) {
      if (isCsv ? column === 0 && byte !== COMMA : column === KIND && byte === P) posts++;
      if (isCsv && byte === QUOTE) isQuoted = !isQuoted;
      column = byte === LINE_FEED && !isQuoted ? 0 : column + 1;
    }
    return Math.max(0, posts);
  };
}
