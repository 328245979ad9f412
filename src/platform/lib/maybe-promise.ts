/** A value that may come later. Where it is there at once, the hot path is spared turns of the event loop. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value as soon as it is there. */
export function andThen<T, Next>(value: MaybePromise<T>, goOn: (value: T) => MaybePromise<Next>): MaybePromise<Next> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
