/** Requests of a kind: so many a second, however long those before them take, as long as the server keeps up. */
export type Kind = {
  name: string;
  perSecond: number;
  /** Sends the nth of them. @returns what is wrong with its response, or nothing */
  ask: (n: number) => Promise<string | null>;
};

/** How long requests of a kind took, in milliseconds. */
export type Figures = { name: string; count: number; p50: number; p99: number };

/** Everything that is asked of a server, and what came of it. */
export class Traffic {
  readonly problems: string[] = [];
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #pending = new Set<Promise<unknown>>();
  readonly #times = new Map<string, number[]>();

  start({ name, perSecond, ask }: Kind): void {
    let n = 0;
    let waiting = 0;
    const send = () => {
      // As many as come in a second: a machine that is too slow for them would only get slower.
      if (waiting >= perSecond) return;
      waiting++;
      const asked = this.time(name, () => ask(n++)).then((problem) => {
        if (problem !== null) this.problems.push(`${name}: ${problem}`);
      });
      const pending = asked.catch((error) => this.problems.push(`${name}: ${error}`));
      this.#pending.add(pending);
      void pending.then(() => {
        waiting--;
        this.#pending.delete(pending);
      });
    };
    this.#timers.push(setInterval(send, 1_000 / perSecond));
  }

  /** Takes the time of something that is one of a kind. */
  async time<T>(name: string, work: () => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await work();
    const times = this.#times.get(name) ?? [];
    this.#times.set(name, times);
    times.push(performance.now() - begun);
    return result;
  }

  /** The figures since they were taken last. */
  take(): Figures[] {
    const figures = [...this.#times].map(([name, times]) => {
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
      return { name, count: sorted.length, p50: at(0.5), p99: at(0.99) };
    });
    this.#times.clear();
    return figures;
  }

  /** Asks no more, and waits for what has been asked. */
  async stop(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await Promise.all(this.#pending);
  }
}
