/** What is done with a value, and with the error that comes instead. */
type Follower<T> = { done(value: T): void; failed(error: unknown): void };

/**
 * A value that a batch brings later. What follows it runs as soon as it is there; a promise for each value of a list
 * would take longer than reading the list. It is no `Promise` for `instanceof`, so `andThen` does not wait for it; an error
 * that nothing follows is not reported.
 */
export class Later<T> implements Promise<T> {
  #settled: ((follower: Follower<T>) => void) | null = null;
  readonly #followers: Follower<T>[] = [];

  get [Symbol.toStringTag](): string {
    return 'Later';
  }

  /** Neither function may throw. */
  follow(done: Follower<T>['done'], failed: Follower<T>['failed']): void {
    if (this.#settled) this.#settled({ done, failed });
    else this.#followers.push({ done, failed });
  }

  resolve(value: T): void {
    this.#settle((follower) => follower.done(value));
  }

  reject(error: unknown): void {
    this.#settle((follower) => follower.failed(error));
  }

  /** The value as `change` makes it, or the error that it throws. */
  map<Next>(change: (value: T) => Next): Later<Next> {
    const next = new Later<Next>();
    const done = (value: T) => {
      let changed: Next;
      try {
        changed = change(value);
      } catch (error) {
        next.reject(error);
        return;
      }
      next.resolve(changed);
    };
    this.follow(done, (error) => next.reject(error));
    return next;
  }

  // biome-ignore lint/suspicious/noThenProperty: it can be awaited as well
  then<Next = T, Otherwise = never>(
    done?: ((value: T) => Next | PromiseLike<Next>) | null,
    failed?: ((error: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<Next | Otherwise> {
    return this.#promise().then(done, failed);
  }

  catch<Otherwise = never>(
    failed?: ((error: unknown) => Otherwise | PromiseLike<Otherwise>) | null,
  ): Promise<T | Otherwise> {
    return this.#promise().catch(failed);
  }

  finally(end?: (() => void) | null): Promise<T> {
    return this.#promise().finally(end);
  }

  #promise(): Promise<T> {
    return new Promise((resolve, reject) => this.follow(resolve, reject));
  }

  #settle(settle: (follower: Follower<T>) => void): void {
    this.#settled = settle;
    for (const follower of this.#followers) settle(follower);
  }
}
