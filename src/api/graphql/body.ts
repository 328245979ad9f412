import { badRequest } from '../../platform/errors.ts';
import { MAX_VALUES, tooComplex } from '../../platform/graphql/limits.ts';

/** Levels of a body. */
const MAX_DEPTH = 500;
/** A shorter body has neither that many values nor levels that take long to parse. */
const COUNTED_FROM = 2 * MAX_VALUES;
const [SPACE, QUOTE, COMMA, BACKSLASH] = [32, 34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

/**
 * Counts the values of a JSON body before it is parsed, which takes far longer: for objects with many fields by their
 * number, and for deep nesting by the level.
 * @throws QUERY_TOO_COMPLEX for items of lists and fields of objects, and BAD_REQUEST for levels, above their limits
 */
export function requireModestBody(body: string): void {
  if (body.length < COUNTED_FROM) return;
  let [depth, values, isText, isEmpty] = [0, 0, false, false];
  for (let n = 0; n < body.length; n++) {
    const code = body.charCodeAt(n);
    if (isText) {
      if (code === BACKSLASH) n++;
      else if (code === QUOTE) isText = false;
    } else if (code > SPACE) {
      const isEnd = code === CLOSE_LIST || code === CLOSE_OBJECT;
      // The first value of a list or an object has no comma before it.
      if (code === COMMA || (isEmpty && !isEnd)) requireFew(++values);
      isEmpty = code === OPEN_LIST || code === OPEN_OBJECT;
      isText = code === QUOTE;
      if (isEmpty && ++depth > MAX_DEPTH) throw badRequest(`The body must be nested at most ${MAX_DEPTH} levels deep`);
      if (isEnd) depth--;
    }
  }
}

function requireFew(values: number): void {
  if (values <= MAX_VALUES) return;
  const limit = MAX_VALUES.toLocaleString('en');
  throw tooComplex('number of values in the body', `over ${limit}`, MAX_VALUES);
}
