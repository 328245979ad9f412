/** Tells one who waits that there is news, also if it came before they began to wait. */
export class Bell {
  #isRung = false;
  #isClosed = false;
  #wake = () => {};

  /** Whether there is no reason to wait any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** Waits until it is rung or closed, or the time is over. @returns whether it was rung since the last time */
  async heard(ms: number): Promise<boolean> {
    if (!this.#isRung && !this.#isClosed) await this.#wait(ms);
    const wasRung = this.#isRung;
    this.#isRung = false;
    return wasRung;
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
