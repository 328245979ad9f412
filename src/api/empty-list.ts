/**
 * A value, or undefined for an empty list where an object is expected: PHP prints an empty array as a list, whatever it
 * stands for.
 */
export function orNone(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}
