/** A value that may come later. If it is available immediately, the hot path saves turns of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value as soon as it is available. */
export function andThen<T, Next>(value: MaybePromise<T>, goOn: (value: T) => MaybePromise<Next>): MaybePromise<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
