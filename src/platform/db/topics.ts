/** What processes tell each other about: there is new work of this kind. A hint, never the truth, which is in the rows. */
export type Topic = 'deliveries' | 'mails' | 'notices' | 'erasures';

/** Who in this process wants to know. */
export class Topics {
  readonly #listeners = new Map<Topic, Set<() => void>>();

  /** Calls `listener` at each hint until the returned function is called. */
  listen(topic: Topic, listener: () => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Tells the listeners of these topics, and forgets the topics. */
  flush(topics: Set<Topic>): void {
    for (const topic of topics) for (const listener of this.#listeners.get(topic) ?? []) listener();
    topics.clear();
  }
}
